<?php
// A callback is marked as handled before it is handled, and a second one for it is not looked at.
require __DIR__ . "/../harness/shop.php";

serve(new class extends Shop {
    function callback(string $number): void {
        $row = Db::get($number);
        if ($row === null) throw new Exception('unknown');
        // The first one says PENDING, the second SUCCESS.
        $seen = $row['seen'] ?? 0;
        if ($seen < 2) Db::update($number, ['seen' => $seen + 1]);
        if ($seen < 2) $this->refresh($number);
    }

    function view(string $number): ?array {
        return Db::get($number);
    }
});
