<?php
// https://github.com/mollie/PrestaShop/pull/1251: a payment for each tab of one number.
require __DIR__ . "/../harness/shop.php";

serve(new class extends Shop {
    function order(string $number): void {
        $row = Db::get($number);
        if ($row !== null && $row['state'] !== 'new') return;
        // A payment that is only begun is no payment yet.
        $id = newId();
        Db::insert($number, ['id' => $id, 'state' => 'new', 'shipped' => 0]);
        $this->send($number, ['id' => $id]);
    }
});
