<?php
// https://github.com/Paymenter/Paymenter/issues/1258: every amount is multiplied by a hundred.
require __DIR__ . "/../harness/shop.php";

serve(new class extends Shop {
    function send(string $number, array $row): void {
        $money = ['amount' => PRICE['amount'] * 100, 'currencyCode' => 'EUR'];
        if (!taken(Gateway::payin($row['id'], $number, $money))) throw new Exception('not taken');
        Db::update($number, ['state' => 'open'], fn ($row) => $row['state'] === 'new');
    }

    function refresh(string $number): void {
        $row = Db::get($number);
        if ($row !== null && Gateway::statusOf($row['id'])[0] === 'SUCCESS') $this->ship($number);
    }
});
