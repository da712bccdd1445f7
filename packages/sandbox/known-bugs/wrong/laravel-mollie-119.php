<?php
// https://github.com/mollie/laravel-mollie/issues/119: the callback comes before the row, and an unknown payment is answered 200.
require __DIR__ . "/../harness/shop.php";

serve(new class extends Shop {
    function order(string $number): void {
        if (Db::get($number) !== null) return;
        $id = newId();
        if (!taken(Gateway::payin($id, $number))) throw new Exception('not taken');
        Db::insert($number, ['id' => $id, 'state' => 'open', 'shipped' => 0]);
    }

    function callback(string $number): void {
        if (Db::get($number) !== null) $this->refresh($number);
    }

    function view(string $number): ?array {
        return Db::get($number);
    }
});
