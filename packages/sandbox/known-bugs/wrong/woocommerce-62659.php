<?php
// https://github.com/woocommerce/woocommerce/issues/62659: the order is stored before the session is bound to it.
require __DIR__ . "/../harness/shop.php";

serve(new class extends Shop {
    function order(string $cart): void {
        $session = Db::get($cart);
        if ($session !== null) return;
        $order = newId();
        Db::insert("order-$order", ['cart' => $cart]);
        if (!taken(Gateway::payin($order, $cart))) throw new Exception('not taken');
        // Until here another request finds no order of this session.
        Db::insert($cart, ['id' => $order, 'state' => 'open', 'shipped' => 0]);
    }
});
