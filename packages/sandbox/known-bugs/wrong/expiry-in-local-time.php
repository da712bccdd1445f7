<?php
// The gateway's expireAt is in UTC, and this shop reads it in its own time zone: orders end nine hours early.
require __DIR__ . "/../harness/shop.php";
date_default_timezone_set('Asia/Tokyo');

serve(new class extends Shop {
    function refresh(string $number): void {
        $row = Db::get($number);
        if ($row === null || $row['state'] === 'paid' || $row['state'] === 'expired') return;
        [, $payin] = Gateway::call('GET', "/payins/{$row['id']}");
        $expireAt = substr($payin['paymentMethodResponse']['expireAt'] ?? '', 0, 19);
        if ($expireAt !== '' && strtotime($expireAt) < time()) Db::update($number, ['state' => 'expired']);
        else parent::refresh($number);
    }
});
