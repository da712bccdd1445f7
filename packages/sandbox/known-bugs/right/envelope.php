<?php
// Every answer says "success", also for an order that is not paid: what counts is inside.
require __DIR__ . "/../harness/shop.php";

serve(new class extends Shop {
    function show(array $row): array {
        return ['status' => 'success', 'data' => ['order' => $row]];
    }
});
