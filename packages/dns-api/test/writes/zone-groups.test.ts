import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { nameToWire, rdataToWire, RR_CLASS } from '@zonewright/dns-records';
import { rrsigHead } from '@zonewright/dns-records/dnssec';
import {
  applyOptimistic,
  changeOfUpdate,
  type ChangeOfMany,
  type OutcomeOfMany,
  ZoneGroups,
  type ZoneSigner,
} from '@zonewright/zones';
import { waitFor } from '@zonewright/testkit';
import { createDomain, type DomainBody } from '../support/fixtures.js';
import { useApi } from '../support/use-api.js';
import { NO_SIGNER } from '../../src/access/signer-client.js';
import { useStatements } from './use-statements.js';
import { rrOf } from './use-write-platform.js';
import { workOf } from './work-of.js';

const MOST_CONNECTIONS = 10;

const api = useApi({
  env: {
    DNS_API_MAX_DOMAINS: '1000',
    DNS_API_DATABASE_CONNECTIONS: String(MOST_CONNECTIONS),
  },
});
const recorder = useStatements(() => api.db);

const REPLY = { status: 200, headers: {}, body: '{}' };
const ANSWERED: readonly OutcomeOfMany[] = [{ kind: 'answered', reply: REPLY }];

/** Creates zones for two tenants alternately. */
async function createZones(count: number): Promise<DomainBody[]> {
  const zones: DomainBody[] = [];
  for (let n = 0; n < count; n += 1) zones.push(await createDomain(api, {}, tokenOf(n)));
  return zones;
}

const tokenOf = (n: number) => (n % 2 === 0 ? 'token-a' : 'token-b');
const tenantOf = (n: number) => (n % 2 === 0 ? 'tenant-a' : 'tenant-b');

interface Together {
  /** The idempotency key of all changes. */
  readonly key?: string;
  /** Called when all zones are planned, and none is written. */
  readonly beforeCommit?: () => Promise<unknown>;
  readonly beforeWrite?: (n: number) => void;
  readonly signer?: ZoneSigner;
}

/**
 * Adds a record to each zone. All zones are read at once, and none is written before all are planned; then they are
 * written at once.
 */
async function addToAll(
  zones: readonly DomainBody[],
  { key, beforeCommit, beforeWrite, signer = NO_SIGNER }: Together = {},
): Promise<PromiseSettledResult<readonly OutcomeOfMany[] | undefined>[]> {
  const groups = new ZoneGroups(api.db);
  let planned = 0;
  let go: (() => void) | undefined;
  const allArePlanned = new Promise<void>((resolve) => {
    go = resolve;
  });
  const toReply = async () => {
    planned += 1;
    if (planned === zones.length) {
      await beforeCommit?.();
      go?.();
    }
    await allArePlanned;
    return REPLY;
  };
  return await Promise.allSettled(
    zones.map(async ({ id: zoneId, name }, n) => {
      const rdata = rdataToWire('A', '192.0.2.1', null);
      const authorities = [rrOf(`www.${name}`, 'A', { ttl: 60, rdata })];
      const requestDigest = createHash('sha256').update(zoneId).digest();
      const kept = key === undefined ? undefined : { tenantId: 'tenant-a', key, requestDigest };
      const change: ChangeOfMany = {
        ...changeOfUpdate({ answers: [], authorities }, name),
        ...{ work: { ...workOf(api, tenantOf(n)), signer }, kept, toReply },
      };
      const place = { groups, zoneId, beforeWrite: () => beforeWrite?.(n) };
      return await applyOptimistic(place, [change]);
    }),
  );
}

async function countRecords({ id }: DomainBody): Promise<number> {
  const { rows } = await api.db.raw<{ rows: { count: number }[] }>(
    'select count(*) as count from dns.records as r where r.domain_id = ?',
    [id],
  );
  return rows[0]?.count ?? 0;
}

describe('ADR 0068: zones of several tenants that change at once', () => {
  it('are read by one statement and written by another', async () => {
    const zones = await createZones(8);
    let outcomes: unknown;
    const ids = zones.map(({ id }) => id);
    const statements = await recorder.of(ids, async () => {
      outcomes = await addToAll(zones);
    });
    expect(outcomes).toMatchObject(zones.map(() => ({ status: 'fulfilled', value: ANSWERED })));
    expect(statements).toEqual(['update-ground', 'commit']);
    expect(await Promise.all(zones.map(countRecords))).toEqual(zones.map(() => 1));
    for (const [n, { id, serial }] of zones.entries()) {
      const path = `/v1/domains/${id}/changes?limit=1`;
      const answer = await api.callAs(tokenOf(n), 'get', path).expect(200);
      const expected = { action: 'record-create', serial_before: serial };
      expect(answer.body).toMatchObject({ changes: [expected] });
    }
  });

  it('are written except for one that has changed in the meantime', async () => {
    const zones = await createZones(6);
    const beforeCommit = () =>
      api.db.raw('update dns.domains as d set version = d.version where d.id = ?', [zones[2]!.id]);
    const outcomes = await addToAll(zones, { beforeCommit });
    expect(outcomes).toMatchObject(
      zones.map((_, n) => ({ status: 'fulfilled', value: n === 2 ? undefined : ANSWERED })),
    );
    expect(await Promise.all(zones.map(countRecords))).toEqual([1, 1, 0, 1, 1, 1]);
  });

  it('are written except for one that another transaction holds, for which they do not wait', async () => {
    const zones = await createZones(4);
    const trx = await api.db.transaction();
    await trx.raw('select d.id from dns.domains as d where d.id = ? for update', [zones[1]!.id]);
    try {
      const outcomes = await addToAll(zones);
      expect(outcomes).toMatchObject(
        zones.map((_, n) => ({ status: 'fulfilled', value: n === 1 ? undefined : ANSWERED })),
      );
    } finally {
      await trx.rollback();
    }
    expect(await Promise.all(zones.map(countRecords))).toEqual([1, 0, 1, 1]);
  });

  it('are written except for one that the database refuses, in halves', async () => {
    const zones = await createZones(8);
    await api.db.raw(`
      create function dns.refuse_in_test() returns trigger language plpgsql as $body$
      begin
        raise unique_violation using constraint = 'records_unique';
      end
      $body$;
      create trigger refuse_in_test before insert on dns.records
        for each row when (new.name = 'www.${zones[5]!.name}') execute function dns.refuse_in_test()`);
    let outcomes: PromiseSettledResult<unknown>[] = [];
    const ids = zones.map(({ id }) => id);
    const statements = await recorder.of(ids, async () => {
      outcomes = await addToAll(zones);
    });
    expect(outcomes.map(({ status }) => status)).toEqual(
      zones.map((_, n) => (n === 5 ? 'rejected' : 'fulfilled')),
    );
    expect(await Promise.all(zones.map(countRecords))).toEqual([1, 1, 1, 1, 1, 0, 1, 1]);
    // The commits are: all zones; the first half; the second half and its halves; and both zones of the half with the
    // faulty one.
    expect(statements).toEqual(['update-ground', ...Array.from({ length: 7 }, () => 'commit')]);
  });

  it('are written except for one whose client was told that nothing was done', async () => {
    const zones = await createZones(4);
    const late = new Error('late');
    let outcomes: unknown;
    const statements = await recorder.of(
      zones.map(({ id }) => id),
      async () => {
        outcomes = await addToAll(zones, {
          beforeWrite: (n) => {
            if (n === 0) throw late;
          },
        });
      },
    );
    expect(outcomes).toMatchObject(
      zones.map((_, n) =>
        n === 0 ? { status: 'rejected', reason: late } : { status: 'fulfilled', value: ANSWERED },
      ),
    );
    expect(await Promise.all(zones.map(countRecords))).toEqual([0, 1, 1, 1]);
    expect(statements).toEqual(['update-ground', 'commit']);
  });

  it('do not wait for one that has more than its share of the data to read', async () => {
    const zones = await createZones(4);
    await api.db.raw(
      `insert into dns.records (domain_id, name, type, data, rdata, rdata_digest)
       select d.id, 'www.' || d.name, 'TXT', '"' || n || '"', convert_to(n::text, 'UTF8'), sha256(convert_to(n::text, 'UTF8'))
         from dns.domains as d, generate_series(1, 600) as n where d.id = ?`,
      [zones[3]!.id],
    );
    const ids = zones.map(({ id }) => id);
    let outcomes: unknown;
    const statements = await recorder.of(ids, async () => {
      outcomes = await addToAll(zones);
    });
    expect(outcomes).toMatchObject(zones.map(() => ({ status: 'fulfilled', value: ANSWERED })));
    expect(statements).toEqual(['update-ground', 'update-ground', 'commit']);
    expect(await Promise.all(zones.map(countRecords))).toEqual([1, 1, 1, 601]);
  });

  it('are written except for those whose Idempotency-Key another request has used', async () => {
    const zones = await createZones(3);
    const key = `key of ${zones[0]!.id}`;
    const outcomes = await addToAll(zones, { key });
    const values = outcomes.map((each) => (each.status === 'fulfilled' ? each.value : each));
    const done = values.filter((value) => value !== undefined);
    expect(done).toMatchObject([ANSWERED]);
    const counts = await Promise.all(zones.map(countRecords));
    expect(counts.toSorted()).toEqual([0, 0, 1]);
    const others = zones.filter((_, n) => counts[n] === 0);
    // The transaction that each change then gets refuses the key.
    expect(await addToAll(others, { key })).toEqual(
      others.map(() => ({ status: 'fulfilled', value: [{ kind: 'alone' }] })),
    );
  });
});

/** Signs with empty signatures, and counts its calls in each turn of the event loop. */
function fakeSigner(): { readonly signer: ZoneSigner; readonly turns: number[] } {
  const turns: number[] = [];
  let isSameTurn = false;
  const sign: ZoneSigner['sign'] = async (_, items) => {
    if (isSameTurn) turns[turns.length - 1]! += 1;
    else turns.push(1);
    isSameTurn = true;
    await new Promise((resolve) => setImmediate(resolve));
    isSameTurn = false;
    return items.map(({ owner, rrset }) => {
      const times = { inception: 0, expiration: 2_000_000_000 };
      const signerName = nameToWire('example.');
      return [rrsigHead(owner, rrset, { algorithm: 13, keyTag: 1, signerName, ...times })];
    });
  };
  return { signer: { sign }, turns };
}

/** Creates zones that seem signed: each has a signing state, and only the names that its changes sign. */
async function createSigned(count: number): Promise<DomainBody[]> {
  const zones = await createZones(count);
  const ids = zones.map(({ id }) => id);
  await api.db.raw(
    `insert into dns.zone_dnssec (domain_id, state, algorithm, signed_serial)
     select d.id, 'signed', 13, d.serial from dns.domains as d where d.id = any(?::uuid[])`,
    [ids],
  );
  return zones;
}

async function listSignedNames({ id }: DomainBody): Promise<string[]> {
  const { rows } = await api.db.raw<{ rows: { name: string }[] }>(
    `select encode(n.canonical, 'escape') as name from dns.signed_names as n where n.domain_id = ? order by n.canonical`,
    [id],
  );
  return rows.map(({ name }) => name);
}

describe('ADR 0068: signed zones of several tenants that change at once', () => {
  const SIGNED = ['', String.raw`www\000`];

  it('are read by two statements, signed at once, and written by another', async () => {
    const zones = await createSigned(8);
    const { signer, turns } = fakeSigner();
    let outcomes: unknown;
    const ids = zones.map(({ id }) => id);
    const statements = await recorder.of(ids, async () => {
      outcomes = await addToAll(zones, { signer });
    });
    expect(outcomes).toMatchObject(zones.map(() => ({ status: 'fulfilled', value: ANSWERED })));
    expect(statements).toEqual(['update-ground', 'signing-ground', 'commit-signed']);
    expect(turns).toEqual([8]);
    for (const zone of zones) {
      expect(await countRecords(zone)).toBe(1);
      expect(await listSignedNames(zone)).toEqual(SIGNED);
    }
    const { rows } = await api.db.raw<{ rows: object[] }>(
      `select count(*) as zones, sum(cardinality(s.names)) as names
         from dns.signing_steps as s join dns.domains as d on d.id = s.domain_id and d.serial = s.serial_after
        where d.id = any(?::uuid[])`,
      [ids],
    );
    expect(rows).toEqual([{ zones: 8, names: 16 }]);
  });

  /** Adds a record to each zone; the statement runs when all zones have been read for signing. */
  async function addWhile(zones: readonly DomainBody[], sql: string) {
    const { signer } = fakeSigner();
    let calls = 0;
    const sign: ZoneSigner['sign'] = async (...question) => {
      if ((calls += 1) === zones.length) await api.db.raw(sql);
      return await signer.sign(...question);
    };
    const outcomes = await addToAll(zones, { signer: { sign } });
    return outcomes.map((each) => (each.status === 'fulfilled' ? each.value : each));
  }

  it('are written except for one whose keys have changed in the meantime', async () => {
    const zones = await createSigned(4);
    const outcomes = await addWhile(
      zones,
      `update dns.zone_dnssec as z set changed_at = now() where z.domain_id = '${zones[1]!.id}'`,
    );
    expect(outcomes).toMatchObject(zones.map((_, n) => (n === 1 ? undefined : ANSWERED)));
    expect(await Promise.all(zones.map(countRecords))).toEqual([1, 0, 1, 1]);
    expect(await listSignedNames(zones[1]!)).toEqual([]);
  });

  it('are not written if the service provides other apex records in the meantime', async () => {
    const zones = await createSigned(3);
    const outcomes = await addWhile(
      zones,
      `insert into dns.apex_versions (version, servers, soa_refresh, soa_retry, soa_expire, soa_minimum)
       select v.version + 1, v.servers, v.soa_refresh, v.soa_retry, v.soa_expire, v.soa_minimum
         from dns.apex_versions as v where v.version < 2147483646 order by v.version desc limit 1`,
    );
    expect(outcomes).toEqual(zones.map(() => undefined));
    expect(await Promise.all(zones.map(countRecords))).toEqual([0, 0, 0]);
  });
});

describe('a name with more data than one statement reads', () => {
  /** @returns a zone with texts at one name, and the outcome of an update that deletes the text that is read last */
  async function deleteLast(count: number, text: string) {
    const zone = await createDomain(api);
    const { rows } = await api.db.raw<{ rows: { rdata: Buffer }[] }>(
      `insert into dns.records (domain_id, name, type, data, rdata, rdata_digest)
       select d.id, 'www.' || d.name, 'TXT', '"' || i.text || '"', i.rdata, sha256(i.rdata)
         from dns.domains as d, generate_series(1, ?) as n,
              lateral (select n || cast(? as text) as text) as t,
              lateral (select t.text, set_byte('\\x00'::bytea, 0, length(t.text)) || convert_to(t.text, 'UTF8') as rdata) as i
        where d.id = ? returning rdata`,
      [count, text, zone.id],
    );
    await api.db.raw('update dns.domains set record_count = ? where id = ?', [count, zone.id]);
    const digestOf = ({ rdata }: { rdata: Buffer }) =>
      createHash('sha256').update(rdata).digest('hex');
    const last = rows.toSorted((a, b) => (digestOf(a) < digestOf(b) ? -1 : 1)).at(-1)!;
    const authorities = [
      rrOf(`www.${zone.name}`, 'TXT', { class: RR_CLASS.NONE, rdata: last.rdata }),
    ];
    const change: ChangeOfMany = {
      ...changeOfUpdate({ answers: [], authorities }, zone.name),
      ...{ work: workOf(api), kept: undefined, toReply: () => REPLY },
    };
    const place = { groups: new ZoneGroups(api.db), zoneId: zone.id, beforeWrite: () => {} };
    return { outcomes: await applyOptimistic(place, [change]), left: await countRecords(zone) };
  }

  it('is changed in a transaction that reads all of it: a part would hide records', async () => {
    expect(await deleteLast(2_000, '')).toMatchObject({ outcomes: ANSWERED, left: 1_999 });
    expect(await deleteLast(2_001, '')).toEqual({ outcomes: [{ kind: 'alone' }], left: 2_001 });
  });

  it('is changed in such a transaction if its few records are long', async () => {
    const text = 'x'.repeat(240);
    expect(await deleteLast(3_900, text)).toMatchObject({ outcomes: [{ kind: 'alone' }] });
    expect(await deleteLast(1_900, text)).toMatchObject({ outcomes: ANSWERED, left: 1_899 });
  });
});

describe('ADR 0068: changes of one tenant that wait', () => {
  it('do not need one connection each: more of them run than there are connections', async () => {
    const zones = (await createZones(2 * MOST_CONNECTIONS + 4)).filter((_, n) => n % 2 === 0);
    const lock = await api.db.transaction();
    await lock.raw('lock table dns.domains in access exclusive mode');
    let isLocked = true;
    // A change that timed out is repeated while the table is locked.
    const create = async ({ id, name }: DomainBody): Promise<number> => {
      const body = { name, type: 'A', data: '192.0.2.1' };
      const { status } = await api.call('post', `/v1/domains/${id}/records`, body);
      return status === 503 && isLocked ? await create({ id, name } as DomainBody) : status;
    };
    const changes = zones.map(create);
    try {
      await waitFor(async () => (await countAtWork()) > MOST_CONNECTIONS);
    } finally {
      isLocked = false;
      await lock.rollback();
    }
    for (const status of await Promise.all(changes)) expect([200, 503]).toContain(status);
  });
});

async function countAtWork(): Promise<number> {
  const metrics = await (await fetch(`${api.operationsUrl}/metrics`)).text();
  return Number(/^\S*requests_at_work (\d+)$/m.exec(metrics)?.[1]);
}
