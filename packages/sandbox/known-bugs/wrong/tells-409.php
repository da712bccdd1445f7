<?php
// The customer who tries again is told of a failure: the 409 to the second create is one for this shop.
require __DIR__ . "/../harness/shop.php";

serve(new class extends Shop {
    function send(string $number, array $row): void {
        if (Gateway::payin($row['id'], $number) >= 300) throw new Exception('not taken');
        Db::update($number, ['state' => 'open'], fn ($row) => $row['state'] === 'new');
    }
});
