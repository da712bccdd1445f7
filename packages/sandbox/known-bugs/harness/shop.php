<?php
// What every shop of the known bugs in PHP has: a database, a gateway, and the steps of a shop that is right. A shop
// replaces the steps in which it differs. PHP starts anew for each request, and several run at a time. Not to be copied.

const PRICE = ['amount' => 19.9, 'currencyCode' => 'EUR'];
const ACCOUNT = ['accountName' => 'Ada', 'accountNumber' => 'DE02120300000000202051'];

function newId(): string {
    return vsprintf('%s%s-%s-%s-%s-%s%s%s', str_split(bin2hex(random_bytes(16)), 4));
}

/** Rows by the number of their order. Each call is one transaction. */
class Db {
    private static function locked(callable $work): mixed {
        $folder = getenv('SHOP_DATA');
        @mkdir($folder, 0700, true);
        $lock = fopen("$folder/lock", 'c');
        flock($lock, LOCK_EX);
        try {
            return $work();
        } finally {
            flock($lock, LOCK_UN);
        }
    }

    private static function read(string $key): ?array {
        $file = getenv('SHOP_DATA') . "/$key.json";
        return is_file($file) ? json_decode(file_get_contents($file), true) : null;
    }

    private static function write(string $key, array $row): void {
        $file = getenv('SHOP_DATA') . "/$key.json";
        file_put_contents("$file.new", json_encode($row));
        rename("$file.new", $file);
    }

    static function get(string $key): ?array {
        return self::locked(fn () => self::read($key));
    }

    /** Stores a row unless there is one, and returns the one that is there. */
    static function insert(string $key, array $row): array {
        return self::locked(function () use ($key, $row) {
            if (self::read($key) === null) self::write($key, $row);
            return self::read($key);
        });
    }

    /** Changes a row where it fits; returns whether it did. */
    static function update(string $key, array $change, ?callable $fits = null): bool {
        return self::locked(function () use ($key, $change, $fits) {
            $row = self::read($key);
            if ($row === null || ($fits !== null && !$fits($row))) return false;
            self::write($key, [...$row, ...$change]);
            return true;
        });
    }
}

class Gateway {
    static bool $renewsToken = true;

    static function call(string $method, string $path, ?array $value = null): array {
        $body = $value === null ? null : json_encode($value, JSON_UNESCAPED_SLASHES);
        for ($attempt = 0; ; $attempt++) {
            $token = Db::get('token')['token'] ?? self::mint();
            [$status, $answer] = self::send($method, $path, $body, ["Authorization: Bearer $token"]);
            $isDead = $status === 401 && self::$renewsToken;
            if ($isDead) Db::update('token', ['token' => null], fn ($row) => $row['token'] === $token);
            if ($attempt === 3 || ($status !== 429 && !$isDead)) return [$status, $answer];
            usleep($status === 429 ? 1_100_000 : 10_000);
        }
    }

    private static function mint(): string {
        $body = json_encode([
            'merchantCode' => getenv('GATEWAY_MERCHANT_CODE'),
            'operations' => ['POST /payins/.*', 'GET /payins/.*'],
            'validitySecs' => 600,
            'timestamp' => time(),
        ], JSON_UNESCAPED_SLASHES);
        openssl_sign($body, $signature, file_get_contents(getenv('GATEWAY_PRIVATE_KEY_FILE')), OPENSSL_ALGO_SHA256);
        [, $answer] = self::send('POST', '/auth-tokens', $body, ['X-SIGNATURE: ' . base64_encode($signature)]);
        foreach ($answer ?? [] as $text) {
            if (!is_string($text) || substr_count($text, '.') !== 2) continue;
            Db::insert('token', ['token' => $text]);
            Db::update('token', ['token' => $text]);
            return $text;
        }
        throw new Exception('no token');
    }

    private static function send(string $method, string $path, ?string $body, array $headers): array {
        $common = ['Accept: application/json', 'X-API-Version: 2', 'Content-Type: application/json', 'Connection: close'];
        $context = stream_context_create(['http' => [
            'method' => $method, 'header' => [...$common, ...$headers], 'content' => $body ?? '',
            'timeout' => 3, 'ignore_errors' => true, 'protocol_version' => 1.1,
        ]]);
        $http_response_header = [];
        $text = @file_get_contents(getenv('GATEWAY_BASE_URL') . $path, false, $context);
        if ($text === false || $http_response_header === []) throw new Exception('no answer');
        $status = (int) explode(' ', $http_response_header[0])[1];
        $json = json_decode($text, true);
        if ($status < 300 && $json === null) throw new Exception('cut');
        return [$status, $json];
    }

    /** Creates a payin and returns the status of the answer. */
    static function payin(string $id, string $number, array $money = PRICE, bool $isCalledBack = true): int {
        $url = 'http://127.0.0.1:' . getenv('PORT');
        return self::call('POST', "/payins/$id", [
            'paymentRequested' => ['money' => $money],
            'paymentMethod' => ['paymentMethodCode' => 'VAPAY', 'account' => ACCOUNT],
            ...($isCalledBack ? ['callbackUrl' => "$url/callback/$number"] : []),
            'returnUrl' => "$url/return/$number",
        ])[0];
    }

    /** The status and the money of a payin, as the gateway shows them. */
    static function statusOf(string $id): array {
        [$status, $answer] = self::call('GET', "/payins/$id");
        if ($status !== 200) throw new Exception("status: $status");
        $money = $answer['paymentRequested']['money'];
        return [$answer['process']['status'], (float) $money['amount'], $money['currencyCode']];
    }
}

function taken(int $status): bool {
    return in_array($status, [200, 201, 409], true);
}

/** A shop that is right: the id is stored before the call, a status request decides, and one caller delivers. */
class Shop {
    function order(string $number): void {
        $row = Db::insert($number, ['id' => newId(), 'state' => 'new', 'shipped' => 0, 'at' => time()]);
        if ($row['state'] === 'new') $this->send($number, $row);
    }

    function send(string $number, array $row): void {
        if (!taken(Gateway::payin($row['id'], $number))) throw new Exception('not taken');
        Db::update($number, ['state' => 'open'], fn ($row) => $row['state'] === 'new');
    }

    function refresh(string $number): void {
        $row = Db::get($number);
        if ($row === null || $row['state'] === 'paid') return;
        if (Gateway::statusOf($row['id']) === ['SUCCESS', PRICE['amount'], PRICE['currencyCode']]) $this->ship($number);
    }

    function ship(string $number): void {
        Db::update($number, ['state' => 'paid', 'shipped' => 1], fn ($row) => $row['state'] !== 'paid');
    }

    function callback(string $number): void {
        if (Db::get($number) === null) throw new Exception('unknown');
        $this->refresh($number);
    }

    function back(string $number): void {
        $this->refresh($number);
    }

    function view(string $number): ?array {
        try {
            $this->refresh($number);
        } catch (Exception) {
        }
        return Db::get($number);
    }

    function show(array $row): array {
        return $row;
    }
}

function serve(Shop $shop): void {
    [, $what, $number] = [...explode('/', strtok($_SERVER['REQUEST_URI'], '?')), '', ''];
    try {
        $row = match ("{$_SERVER['REQUEST_METHOD']} $what") {
            'POST orders' => $shop->order($number),
            'GET orders' => $shop->view($number),
            'POST callback' => $shop->callback($number),
            'GET return' => $shop->back($number),
        };
        if ($row === null && "{$_SERVER['REQUEST_METHOD']} $what" === 'GET orders') http_response_code(404);
        echo json_encode($shop->show($row ?? []));
    } catch (Throwable) {
        http_response_code(503);
    }
}
