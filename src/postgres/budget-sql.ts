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
import { tableName } from './options.js'

/**
 * The table and the function of the budget. The table isn't logged: what it holds is worth nothing after a second
 * or two, and a permit need not wait for the disk. After a crash it is empty, and the processes say so.
 *
 * The function is the rule of src/budget/reservation.ts, as one statement.
 *
 * @param clock an expression in milliseconds.
 */
export function budgetSql(
  schema: string | undefined,
  clock = 'floor(extract(epoch from clock_timestamp()) * 1000)::bigint',
): string {
  const table = tableName('budget', schema)
  return `
CREATE UNLOGGED TABLE IF NOT EXISTS ${table} (
  name text PRIMARY KEY,
  id bigint NOT NULL DEFAULT 0,
  count bigint NOT NULL DEFAULT 0,
  slots bigint[] NOT NULL DEFAULT '{}',
  used_by bigint[] NOT NULL DEFAULT '{}',
  grants bigint[] NOT NULL DEFAULT '{}',
  not_before bigint NOT NULL DEFAULT 0,
  spaced_until bigint NOT NULL DEFAULT 0,
  shares_until bigint NOT NULL DEFAULT 0,
  bulk_at bigint NOT NULL DEFAULT 0,
  bulk_asked_at bigint NOT NULL DEFAULT 0,
  passed_over bigint NOT NULL DEFAULT 0,
  issued bigint NOT NULL DEFAULT 0,
  served bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 10);

CREATE OR REPLACE FUNCTION ${tableName('budget_ask', schema)}(budget text, ask jsonb) RETURNS jsonb
LANGUAGE plpgsql AS $budget$
DECLARE
  ledger ${table}%ROWTYPE;
  now_ms bigint;
  window_ms bigint := ask->>'windowMs';
  places int := ask->>'slots';
  asked_ticket bigint := ask->>'ticket';
  pause_ms bigint := ask->>'pauseMs';
  quiet_ms bigint := ask->>'quietMs';
  known_id bigint := ask->>'knownId';
  used jsonb;
  place int;
  gap bigint := ceil(window_ms::numeric / places);
  closest bigint := floor(gap * ${closestPart});
  soonest bigint;
  window_from bigint;
  apart bigint;
  free bigint;
  open_for bigint;
  open_since bigint;
  its_ticket bigint;
  is_owed boolean;
  owed int := ${slotsPerBulk - 1};
  owed_from int;
  early int;
  in_line boolean;
  taken bigint := 0;
  come_in bigint := 0;
  next_ticket bigint := 0;
  ahead bigint;
  turn bigint;
BEGIN
  INSERT INTO ${table} (name) VALUES (budget) ON CONFLICT DO NOTHING;
  SELECT * INTO ledger FROM ${table} WHERE name = budget FOR UPDATE;
  -- Looked at after the lock is there: whoever waited for it comes later.
  now_ms := ${clock};
  -- Slots that were asked for during a pause lie behind it.
  IF ledger.id = 0 OR ledger.id > now_ms OR ledger.slots[cardinality(ledger.slots)]
    > greatest(now_ms, least(ledger.not_before, now_ms + ${longestPauseMs})) + ${longestLine} * window_ms THEN
    ledger := ROW(budget, now_ms, 0, '{}', '{}', '{}', now_ms + (ask->>'clearingMs')::bigint, 0, 0, 0, 0, 0, 0, 0);
  END IF;

  -- What the asker tells before it asks: when its slots were used or that they weren't, slots that are forgotten here, a 429.
  FOR used IN SELECT * FROM jsonb_array_elements(ask->'used') LOOP
    place := array_position(ledger.grants, (used->>0)::bigint);
    IF place IS NOT NULL AND (used->>1)::bigint > 0 THEN
      ledger.used_by[place] := (used->>1)::bigint;
    ELSIF place IS NOT NULL THEN
      ledger.slots := ledger.slots[:place - 1] || ledger.slots[place + 1:];
      ledger.used_by := ledger.used_by[:place - 1] || ledger.used_by[place + 1:];
      ledger.grants := ledger.grants[:place - 1] || ledger.grants[place + 1:];
    END IF;
  END LOOP;
  IF known_id > 0 AND quiet_ms > 0
    AND (known_id <> ledger.id OR (ask->>'knownCount')::bigint > ledger.count) THEN
    ledger.not_before := greatest(ledger.not_before, now_ms + quiet_ms);
  END IF;
  IF pause_ms > 0 THEN
    pause_ms := least(pause_ms, ${longestPauseMs});
    ledger.not_before := greatest(ledger.not_before, now_ms + pause_ms);
    ledger.spaced_until := now_ms + pause_ms + ${spacedMs};
  END IF;
  ledger.not_before := least(ledger.not_before, now_ms + ${longestPauseMs});
  IF (ask->>'returningMs')::bigint > 0 THEN
    ledger.shares_until := greatest(ledger.shares_until, now_ms + (ask->>'returningMs')::bigint);
  END IF;

  soonest := now_ms + (ask->>'leadMs')::bigint;
  window_from := ledger.not_before;
  IF cardinality(ledger.used_by) >= places THEN
    window_from := greatest(window_from, ledger.used_by[cardinality(ledger.used_by) - places + 1] + window_ms);
  END IF;
  apart := CASE WHEN now_ms < ledger.spaced_until THEN gap WHEN window_from + window_ms / 2.0 > soonest THEN closest ELSE 0 END;
  open_for := greatest(window_from, coalesce(ledger.slots[cardinality(ledger.slots)], 0) + apart);
  free := greatest(soonest, open_for);

  IF ask->>'want' = 'customer' THEN
    ledger.passed_over := CASE WHEN now_ms - ledger.bulk_asked_at < ${bulkLeftMs}
      THEN least(ledger.passed_over + 1, ${2 * slotsPerBulk}) ELSE 0 END;
    taken := free;
  ELSIF ask->>'want' = 'bulk' THEN
    IF now_ms - ledger.bulk_asked_at >= ${bulkLeftMs} THEN
      ledger.passed_over := 0;
      ledger.served := ledger.issued;
    END IF;
    ledger.bulk_asked_at := now_ms;
    open_since := greatest(open_for, ledger.bulk_at + closest);
    in_line := asked_ticket > 0 AND asked_ticket <= ledger.issued;
    its_ticket := CASE WHEN in_line THEN asked_ticket ELSE ledger.issued + 1 END;
    ahead := greatest(0, its_ticket - ledger.served - 1);
    -- Whoever is ahead in the line goes before, unless it doesn't come; and if it does later, it goes before the others.
    owed_from := CASE WHEN its_ticket <= ledger.served THEN owed - 2 ELSE owed END;
    is_owed := ledger.passed_over >= CASE WHEN ahead > 0 THEN owed + 2 ELSE owed_from END;
    IF is_owed OR soonest - open_since >= (CASE WHEN ahead > 0 THEN gap / 2.0 ELSE -${nearMs} END) THEN
      ledger.passed_over := CASE WHEN is_owed THEN ledger.passed_over - owed ELSE 0 END;
      taken := greatest(soonest, CASE WHEN is_owed THEN free ELSE open_since END);
      ledger.bulk_at := taken;
      IF in_line THEN ledger.served := greatest(ledger.served, its_ticket); END IF;
    ELSE
      ledger.issued := greatest(ledger.issued, its_ticket);
      turn := open_since + ahead * gap;
      IF cardinality(ledger.used_by) >= places AND ahead < places THEN
        turn := greatest(open_since + ahead * closest,
          ledger.used_by[cardinality(ledger.used_by) - places + 1 + ahead] + window_ms);
      END IF;
      next_ticket := its_ticket;
      early := CASE WHEN its_ticket <= ledger.served THEN ${2 * earlyMs} ELSE ${earlyMs} END;
      come_in := greatest(1, least(turn - soonest - early, (owed_from - ledger.passed_over + owed * ahead) * gap));
    END IF;
  END IF;
  IF taken > 0 THEN
    ledger.count := ledger.count + 1;
    ledger.slots := ledger.slots || taken;
    ledger.slots := ledger.slots[greatest(1, cardinality(ledger.slots) - places + 1):];
    ledger.used_by := ledger.used_by || (taken + (ask->>'goodForMs')::bigint);
    ledger.used_by := ledger.used_by[greatest(1, cardinality(ledger.used_by) - places + 1):];
    ledger.grants := ledger.grants || (ask->>'grant')::bigint;
    ledger.grants := ledger.grants[greatest(1, cardinality(ledger.grants) - places + 1):];
  END IF;

  UPDATE ${table} SET (id, count, slots, used_by, grants, not_before, spaced_until, shares_until, bulk_at,
    bulk_asked_at, passed_over, issued, served) = (ledger.id, ledger.count, ledger.slots, ledger.used_by, ledger.grants, ledger.not_before,
    ledger.spaced_until, ledger.shares_until, ledger.bulk_at, ledger.bulk_asked_at, ledger.passed_over,
    ledger.issued, ledger.served) WHERE name = budget;
  RETURN jsonb_build_object('now', now_ms, 'id', ledger.id, 'count', ledger.count, 'slot', taken,
    'comeInMs', come_in, 'ticket', next_ticket, 'sharesMs', greatest(0, ledger.shares_until - now_ms));
END
$budget$;
`
}
