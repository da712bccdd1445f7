<?php
// https://github.com/MultiSafepay/magento2/issues/74: two notifications at a time make two invoices.
require __DIR__ . "/../harness/shop.php";

serve(new class extends Shop {
    function settle(string $cart): void {
        $row = Db::get($cart);
        if ($row === null) return;
        $canInvoice = $row['state'] !== 'paid';
        if (Gateway::look($row['id']) !== ['SUCCESS', 19.9] || !$canInvoice) return;
        Db::update($cart, ['state' => 'paid', 'shipped' => Db::get($cart)['shipped'] + 1]);
    }
});
