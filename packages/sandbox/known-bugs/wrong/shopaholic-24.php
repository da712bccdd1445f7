<?php
// https://github.com/oc-shopaholic/oc-omnipay-shopaholic-plugin/issues/24: whoever opens the address of success has paid.
require __DIR__ . "/../harness/shop.php";

serve(new class extends Shop {
    function back(string $number): void {
        Db::update($number, ['state' => 'paid']);
    }
});
