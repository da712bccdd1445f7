<?php
// https://github.com/airwallex/paymentacceptance-plugin-magento/pull/8: a token that has died stays in the cache.
require __DIR__ . "/../harness/shop.php";

Gateway::$renewsToken = false;
serve(new Shop());
