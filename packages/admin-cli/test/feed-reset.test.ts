import { beforeEach, describe, expect, it } from '@jest/globals';
import { FEED_START, readFeed } from '@zonewright/database';
import { waitFor } from '@zonewright/testkit';
import { useInstallation } from './run-command.js';

const installation = useInstallation();
/** A position that no test cluster reaches. */
const FUTURE = '999999999999';

interface ZoneRow {
  readonly name: string;
  readonly serial: number;
  readonly isFuture: boolean;
}

async function zones(): Promise<ZoneRow[]> {
  return await installation.select<ZoneRow>(
    `select name, serial, changed_in >= pg_snapshot_xmax(pg_current_snapshot()) as "isFuture"
       from dns.domains order by name, deleted_at nulls first`,
  );
}

/** Returns the names that a nameserver at the present end of the feed would read again. */
async function rereadNames(): Promise<string[]> {
  const end = await readFeed(installation.db, FEED_START, ({ position }) =>
    Promise.resolve(position),
  );
  return await readFeed(installation.db, end, ({ changes }) =>
    Promise.resolve(changes.map(({ name }) => name)),
  );
}

beforeEach(async () => {
  await installation.select('delete from dns.domains');
  await installation.select(
    `insert into dns.domains (tenant_id, name, email, ttl, serial, changed_in, deleted_at)
     select 't', 'z' || n || '.example.', 'a@example.org', 60, 100 + n,
            case when n < 4 then '${FUTURE}' else '3' end::xid8, case when n = 1 then now() end
       from generate_series(1, 5) as n`,
  );
  await installation.select(
    `insert into dns.zone_changes (domain_id, serial_before, serial_after, action, user_id, request_id, changed_in)
     select d.id, 1, d.serial, 'domain-update', 'u', 'r', '${FUTURE}' from dns.domains as d where d.name = 'z2.example.'`,
  );
  await installation.select(
    `insert into dns.nameserver_status (name, address, software, version, read_at, applied_before, zones, image_bytes, started_at,
       applied_at, heartbeat_at)
     select 'ns1-1', '127.0.0.1:53', 'zonewright-nameserver', '0.1.0', now(), '${FUTURE}', 5, 1, now(), now(), now()
     on conflict (name) do update set applied_before = excluded.applied_before`,
  );
});

describe('feed reset', () => {
  it("stamps rows from another cluster's dump, so that they are not read again and again", async () => {
    expect(await rereadNames()).toEqual(['z1.example.', 'z2.example.', 'z3.example.']);
    expect(await installation.json('feed reset')).toEqual({
      zones: 3,
      journalEntries: 1,
      nameservers: 1,
    });
    // Transactions of other databases on the server hold the feed's position back until they end.
    await waitFor(async () => (await rereadNames()).length === 0);
    expect((await zones()).map(({ serial }) => serial)).toEqual([101, 102, 103, 104, 105]);
    expect(await installation.json('feed reset')).toEqual({
      zones: 0,
      journalEntries: 0,
      nameservers: 0,
    });
  });

  it('--new-serials gives every living zone its next serial, with a step in the journal', async () => {
    const before = Math.floor(Date.now() / 1000);
    const { zones: stamped } = await installation.json<{ zones: number }>(
      'feed reset --new-serials',
    );
    // The rows are those of five domains and of the nameserver domain.
    expect(stamped).toBe(6);
    const [deleted, ...living] = await zones();
    expect(deleted).toMatchObject({ serial: 101, isFuture: false });
    for (const { serial, isFuture } of living) {
      expect(serial).toBeGreaterThanOrEqual(before);
      expect(isFuture).toBe(false);
    }
    const entries = await installation.select<object>(
      `select c.serial_before, c.serial_after = d.serial as "isSerial", c.action, c.before = c.after as "isSame",
              c.after ->> 'name' = d.name as "isName", c.user_id
         from dns.zone_changes as c join dns.domains as d on d.id = c.domain_id
        where c.user_id = 'operator' order by d.name`,
    );
    expect(entries).toEqual(
      [102, 103, 104, 105].map((serialBefore) => ({
        serial_before: serialBefore,
        isSerial: true,
        action: 'domain-update',
        isSame: true,
        isName: true,
        user_id: 'operator',
      })),
    );
  });

  it('ADR 0020: --new-serials gives serials after those of the nameservers', async () => {
    const ahead = Math.floor(Date.now() / 1_000) + 500_000;
    const reported = JSON.stringify({ 'z4.example.': ahead, 'z5.example.': 4_294_967_295 });
    await installation.select(
      `update dns.nameserver_status set heartbeat_at = now(), ahead_zones = '${reported}'`,
    );
    await installation.json('feed reset --new-serials');
    const [, , , four, five] = await zones();
    expect(four?.serial).toBe(ahead + 1);
    // No lost changes explain the other serial.
    expect(five?.serial).toBeLessThan(ahead);
  });
});
