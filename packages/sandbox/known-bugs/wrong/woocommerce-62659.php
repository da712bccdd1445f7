<?php
// https://github.com/woocommerce/woocommerce/issues/62659: the order is stored before the session is bound to it.
require __DIR__ . "/../harness/shop.php";

serve(new class extends Shop {
    function order(string $number): void {
        $session = Db::get($number);
        if ($session !== null) return;
        $order = newId();
        Db::insert("order-$order", ['number' => $number]);
        if (!taken(Gateway::payin($order, $number))) throw new Exception('not taken');
        // Until here another request finds no order of this session.
        Db::insert($number, ['id' => $order, 'state' => 'open', 'shipped' => 0]);
    }
});
