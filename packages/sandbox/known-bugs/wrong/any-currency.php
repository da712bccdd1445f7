<?php
// 19.90 of any currency pay the order.
require __DIR__ . "/../harness/shop.php";

serve(new class extends Shop {
    function refresh(string $number): void {
        $row = Db::get($number);
        if ($row === null || $row['state'] === 'paid') return;
        [$status, $amount] = Gateway::statusOf($row['id']);
        if ($status === 'SUCCESS' && $amount === PRICE['amount']) $this->ship($number);
    }
});
