<?php
// https://github.com/PrestaShop/PrestaShop/issues/11487: two notifications at a time both find no order, and make one.
require __DIR__ . "/../harness/shop.php";

serve(new class extends Shop {
    function callback(string $number): void {
        $row = Db::get($number);
        if ($row === null) throw new Exception('unknown');
        $orderExists = $row['shipped'] > 0;
        [$status] = Gateway::statusOf($row['id']);
        if ($orderExists || $status !== 'SUCCESS') return;
        Db::update($number, ['state' => 'paid', 'shipped' => Db::get($number)['shipped'] + 1]);
    }
});
