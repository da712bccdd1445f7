<?php
// https://github.com/PrestaShop/PrestaShop/issues/11487: two notifications at a time both find no order, and make one.
require __DIR__ . "/../harness/shop.php";

serve(new class extends Shop {
    function callback(string $cart): void {
        $row = Db::get($cart);
        if ($row === null) throw new Exception('unknown');
        $orderExists = $row['shipped'] > 0;
        [$status] = Gateway::look($row['id']);
        if ($orderExists || $status !== 'SUCCESS') return;
        Db::update($cart, ['state' => 'paid', 'shipped' => Db::get($cart)['shipped'] + 1]);
    }
});
