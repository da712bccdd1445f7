<?php
// https://github.com/MultiSafepay/magento2/issues/74: two notifications at a time make two invoices.
require __DIR__ . "/../harness/shop.php";

serve(new class extends Shop {
    function refresh(string $number): void {
        $row = Db::get($number);
        if ($row === null) return;
        $canInvoice = $row['state'] !== 'paid';
        if (Gateway::statusOf($row['id']) !== ['SUCCESS', 19.9, 'EUR'] || !$canInvoice) return;
        Db::update($number, ['state' => 'paid', 'shipped' => Db::get($number)['shipped'] + 1]);
    }
});
