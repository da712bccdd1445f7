<?php
// https://github.com/Paymenter/Paymenter/issues/1258: every amount is multiplied by a hundred.
require __DIR__ . "/../harness/shop.php";

serve(new class extends Shop {
    function send(string $cart, array $row): void {
        $money = ['amount' => PRICE['amount'] * 100, 'currencyCode' => 'EUR'];
        if (!taken(Gateway::payin($row['id'], $cart, $money))) throw new Exception('not taken');
        Db::update($cart, ['state' => 'open'], fn ($row) => $row['state'] === 'new');
    }

    function settle(string $cart): void {
        $row = Db::get($cart);
        if ($row !== null && Gateway::look($row['id'])[0] === 'SUCCESS') $this->ship($cart);
    }
});
