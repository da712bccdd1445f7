import {
  bulkLeftMs,
  closestPart,
  earlyMs,
  longestLine,
  longestPauseMs,
  nearMs,
  slotsPerBulk,
  spacedMs,
} from '../budget/reservation.js'

/** How long the ledger stays after it was last asked: one that begins anew keeps everybody waiting for a second. */
const keptMs = 30 * 86_400_000

const redisClock = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)`

/**
 * The rule of src/budget/reservation.ts, as one step of Redis. KEYS: the ledger, JSON. ARGV: the ask, JSON.
 *
 * @param clock sets `now`, in milliseconds.
 */
export function budgetScript(clock = redisClock): string {
  return `
local ask = cjson.decode(ARGV[1])
${clock}
local kept = redis.pcall('GET', KEYS[1])
-- A refusal is told, or every process would begin a ledger of its own; only what is of another type is written over.
if type(kept) == 'table' and kept.err and not string.find(kept.err, 'WRONGTYPE', 1, true) then return kept end
local isJson, ledger = pcall(cjson.decode, type(kept) == 'string' and kept or 'null')
-- What another version, or somebody's hand, has left there is no ledger: it would end each ask with an error for ever.
local isLedger = isJson and type(ledger) == 'table'
for _, field in ipairs({ 'id', 'count', 'notBefore', 'spacedUntil', 'sharesUntil', 'bulkAt', 'bulkAskedAt', 'passedOver',
  'issued', 'served' }) do
  isLedger = isLedger and type(ledger[field]) == 'number'
end
for _, field in ipairs({ 'slots', 'usedBy', 'grants' }) do
  isLedger = isLedger and type(ledger[field]) == 'table'
  for _, one in ipairs(isLedger and ledger[field] or {}) do isLedger = isLedger and type(one) == 'number' end
end
isLedger = isLedger and #ledger.slots == #ledger.usedBy and #ledger.slots == #ledger.grants
-- Slots that were asked for during a pause lie behind it.
local opensAt = isLedger and math.max(now, math.min(ledger.notBefore, now + ${longestPauseMs})) or now
if not isLedger or ledger.id > now or (ledger.slots[#ledger.slots] or 0) > opensAt + ${longestLine} * ask.windowMs then
  ledger = { id = now, count = 0, slots = {}, usedBy = {}, grants = {}, notBefore = now + ask.clearingMs,
    spacedUntil = 0, sharesUntil = 0, bulkAt = 0, bulkAskedAt = 0, passedOver = 0, issued = 0, served = 0 }
end
local slots = ledger.slots
local usedBy = ledger.usedBy
local grants = ledger.grants

-- What the asker tells before it asks: when its slots were used or that they weren't, slots that are forgotten here, a 429.
for _, used in ipairs(ask.used) do
  for i, grant in ipairs(grants) do
    if grant == used[1] then
      if used[2] > 0 then
        usedBy[i] = used[2]
      else
        table.remove(slots, i)
        table.remove(usedBy, i)
        table.remove(grants, i)
      end
      break
    end
  end
end
if ask.knownId > 0 and (ask.knownId ~= ledger.id or ask.knownCount > ledger.count) and ask.quietMs > 0 then
  ledger.notBefore = math.max(ledger.notBefore, now + ask.quietMs)
end
if ask.pauseMs > 0 then
  local pausedUntil = now + math.min(ask.pauseMs, ${longestPauseMs})
  ledger.notBefore = math.max(ledger.notBefore, pausedUntil)
  ledger.spacedUntil = pausedUntil + ${spacedMs}
end
ledger.notBefore = math.min(ledger.notBefore, now + ${longestPauseMs})
if ask.returningMs > 0 then
  ledger.sharesUntil = math.max(ledger.sharesUntil, now + ask.returningMs)
end

local gap = math.ceil(ask.windowMs / ask.slots)
local soonest = now + ask.leadMs
local closest = math.floor(gap * ${closestPart})
local windowFrom = ledger.notBefore
if #usedBy >= ask.slots then windowFrom = math.max(windowFrom, usedBy[#usedBy - ask.slots + 1] + ask.windowMs) end
local apart = 0
if now < ledger.spacedUntil then apart = gap elseif windowFrom + ask.windowMs / 2 > soonest then apart = closest end
local openFor = math.max(windowFrom, (slots[#slots] or 0) + apart)
local free = math.max(soonest, openFor)

local answer = { now = now, id = ledger.id, slot = 0, comeInMs = 0, ticket = 0 }
local function take(slot)
  slots[#slots + 1] = slot
  usedBy[#usedBy + 1] = slot + ask.goodForMs
  grants[#grants + 1] = ask.grant
  while #slots > ask.slots do
    table.remove(slots, 1)
    table.remove(usedBy, 1)
    table.remove(grants, 1)
  end
  ledger.count = ledger.count + 1
  answer.slot = slot
end

if ask.want == 'customer' then
  local bulkWaits = now - ledger.bulkAskedAt < ${bulkLeftMs}
  ledger.passedOver = bulkWaits and math.min(ledger.passedOver + 1, ${2 * slotsPerBulk}) or 0
  take(free)
elseif ask.want == 'bulk' then
  if now - ledger.bulkAskedAt >= ${bulkLeftMs} then
    ledger.passedOver = 0
    ledger.served = ledger.issued
  end
  ledger.bulkAskedAt = now
  local owed = ${slotsPerBulk - 1}
  local openSince = math.max(openFor, ledger.bulkAt + closest)
  local isInLine = ask.ticket > 0 and ask.ticket <= ledger.issued
  local ticket = isInLine and ask.ticket or ledger.issued + 1
  local ahead = math.max(0, ticket - ledger.served - 1)
  -- Whoever is ahead in the line goes before, unless it doesn't come; and if it does later, it goes before the others.
  local owedFrom = ticket <= ledger.served and owed - 2 or owed
  local isOwed = ledger.passedOver >= (ahead > 0 and owed + 2 or owedFrom)
  local isTurn = soonest - openSince >= (ahead > 0 and gap / 2 or -${nearMs})
  if isOwed or isTurn then
    ledger.passedOver = isOwed and ledger.passedOver - owed or 0
    take(math.max(soonest, isOwed and free or openSince))
    ledger.bulkAt = answer.slot
    if isInLine then ledger.served = math.max(ledger.served, ticket) end
  else
    ledger.issued = math.max(ledger.issued, ticket)
    local turn = openSince + ahead * gap
    local leaving = #usedBy >= ask.slots and usedBy[#usedBy - ask.slots + 1 + ahead]
    if leaving then turn = math.max(openSince + ahead * closest, leaving + ask.windowMs) end
    local early = ticket <= ledger.served and ${2 * earlyMs} or ${earlyMs}
    local owedInMs = (owedFrom - ledger.passedOver + owed * ahead) * gap
    answer.ticket = ticket
    answer.comeInMs = math.max(1, math.min(turn - soonest - early, owedInMs))
  end
end

redis.call('SET', KEYS[1], cjson.encode(ledger), 'PX', ${keptMs})
answer.count = ledger.count
answer.sharesMs = math.max(0, ledger.sharesUntil - now)
return cjson.encode(answer)
`
}
