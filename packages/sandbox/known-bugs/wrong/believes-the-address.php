<?php
// The page after the payment believes what stands in its address.
require __DIR__ . "/../harness/shop.php";

serve(new class extends Shop {
    function back(string $number): void {
        if (strtoupper($_GET['status'] ?? '') === 'SUCCESS') $this->ship($number);
        else $this->refresh($number);
    }
});
