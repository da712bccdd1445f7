<?php
// https://github.com/razorpay/razorpay-woocommerce/issues/157: an unpaid order is cancelled after an hour, and stays so when it is paid.
require __DIR__ . "/../harness/shop.php";

serve(new class extends Shop {
    function refresh(string $number): void {
        Db::update($number, ['state' => 'cancelled'], fn ($row) => $row['state'] === 'open' && time() - $row['at'] > 3600);
        if ((Db::get($number)['state'] ?? '') !== 'cancelled') parent::refresh($number);
    }
});
