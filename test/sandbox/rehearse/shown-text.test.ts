import { expect, test } from 'vitest'
import { shownText } from '../../../sandbox/src/rehearse/shown-text.js'

const secretActs = [
  'curl -H "x-api-key: canary" localhost:3000/{n}',
  "curl --header 'Authorization: Basic canary' localhost:3000/{n}",
  'curl -H "Cookie: sid=canary; b=canary" localhost:3000/{n}',
  'curl -H X-Whatever:canary localhost:3000/{n}',
  'curl -u jane:canary localhost:3000/{n}',
  'curl -ujane:canary localhost:3000/{n}',
  'curl --user=jane:canary localhost:3000/{n}',
  'curl -b sid=canary localhost:3000/{n}',
  'curl --oauth2-bearer canary localhost:3000/{n}',
  'curl http://jane:canary@localhost:3000/{n}',
  'curl jane:canary@localhost:3000/{n}',
  'curl localhost:3000/{n}?api_key=canary',
  'curl localhost:3000/{n}?user%5Bpassword%5D=canary',
  'curl -d password=canary -d n={n} localhost:3000',
  `curl -d '{"password": "a canary", "n": {n}}' localhost:3000`,
  'curl -d "{\\"client_secret\\":\\"canary\\",\\"n\\":{n}}" localhost:3000',
  `curl -d '{"password": {"plain": "canary"}, "n": {n}}' localhost:3000`,
  'curl --data-urlencode next=%2Flogin%3Fpassword%3Dcanary localhost:3000/{n}',
  'PGPASSWORD=canary node pay.mjs {n}',
  'DATABASE_URL=postgres://shop:canary@localhost/shop node pay.mjs {n}',
  'node pay.mjs --password canary {n}',
  'node pay.mjs --api-key=canary {n}',
  'mysql -p canary {n}',
  'http POST localhost:3000/{n} Authorization:"Basic canary"',
  'echo canary | docker login --password-stdin {n}',
  'node pay.mjs sk_live_canary0123456789 {n}',
  'node pay.mjs canary1f2e3d4c5b6a7988 {n} 9canary8f7e6d5c4b3a2910',
  "echo it's canary {n}",
  'POST http://localhost:3000/{n} {"password":"canary"}',
  "POST http://localhost:3000/{n} user=jane&password=can't canary",
  'POST http://localhost:3000/{n}?access_token=canary',
  'curl -d "-----BEGIN PRIVATE KEY-----canary" localhost:3000/{n}',
  'curl localhost:3000/{n} -d iban=canary -d accountNumber=canary -d email=canary@shop.example',
]

test.each(secretActs)('no page shows the secret of %s', (act) => {
  expect(shownText(act)).not.toContain('canary')
})

test.each([
  'POST http://localhost:3000/orders/{n}',
  'POST http://localhost:3000/orders/123e4567-e89b-12d3-a456-426614174000/{n}',
  'http://localhost:3000/orders/{n}',
])('what is a method, a host and a path is shown as it is: %s', (act) => {
  expect(shownText(act)).toBe(act)
})

test.each([
  ['curl -H "x-api-key: a b" -d password=c localhost:1/{n}?a=b', 'localhost:1/{n} [left out]'],
  ["curl -d n={n} 'http://localhost:1/orders'", 'http://localhost:1/orders [left out]'],
  ['curl -X POST https://shop.example/{n}', 'https://shop.example/{n} [left out]'],
  ['POST http://localhost:1/{n}?pin=1234 {"n":{n}}', 'POST http://localhost:1/{n} [left out]'],
  ['POST http://a:b@localhost/{n} {"pin":1234,"n":{n}}', 'POST [left out]'],
  ['node pay.mjs {n}', '[left out]'],
])('of %s stays %s', (act, shown) => {
  expect(shownText(act)).toBe(shown)
})
