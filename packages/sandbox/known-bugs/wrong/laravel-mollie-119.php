<?php
// https://github.com/mollie/laravel-mollie/issues/119: the callback comes before the row, and an unknown payment is answered 200.
require __DIR__ . "/../harness/shop.php";

serve(new class extends Shop {
    function order(string $cart): void {
        if (Db::get($cart) !== null) return;
        $id = newId();
        if (!taken(Gateway::payin($id, $cart))) throw new Exception('not taken');
        Db::insert($cart, ['id' => $id, 'state' => 'open', 'shipped' => 0]);
    }

    function callback(string $cart): void {
        if (Db::get($cart) !== null) $this->settle($cart);
    }

    function look(string $cart): ?array {
        return Db::get($cart);
    }
});
