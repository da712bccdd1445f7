<?php
// https://github.com/mollie/PrestaShop/pull/1251: a payment for each tab of one cart.
require __DIR__ . "/../harness/shop.php";

serve(new class extends Shop {
    function order(string $cart): void {
        $row = Db::get($cart);
        if ($row !== null && $row['state'] !== 'new') return;
        // A payment that is only begun is no payment yet.
        $id = newId();
        Db::insert($cart, ['id' => $id, 'state' => 'new', 'shipped' => 0]);
        $this->send($cart, ['id' => $id]);
    }
});
