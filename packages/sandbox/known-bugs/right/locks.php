<?php
// A process for each request, and locks in the database.
require __DIR__ . "/../harness/shop.php";

serve(new Shop());
