<?php
// https://github.com/lightspeedretail/webstore/issues/158: a double click charges twice.
require __DIR__ . "/../harness/shop.php";

serve(new class extends Shop {
    function order(string $number): void {
        // An id for each click.
        $id = newId();
        Db::insert($number, ['id' => $id, 'state' => 'open', 'shipped' => 0]);
        if (!taken(Gateway::payin($id, $number))) throw new Exception('not taken');
    }
});
