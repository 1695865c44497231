import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { waitFor } from '@zonewright/testkit';
import { createDomain, createRecord, type DomainBody, readDomain } from './support/fixtures.js';
import { addServers, report, reportAll, silence } from './support/nameserver-reports.js';
import { useApi } from './support/use-api.js';

const api = useApi({ env: { DNS_API_MAX_DOMAINS: '1000' } });

interface PublicationBody {
  readonly serial: number;
  readonly state: string;
  readonly committed_at: string;
  readonly nameservers: readonly {
    readonly name: string;
    readonly applied: boolean;
    readonly applied_at: string | null;
    readonly delay_ms: number | null;
    readonly live: boolean;
  }[];
}

let domain: DomainBody;

beforeAll(async () => {
  await addServers(api.db);
});
beforeEach(async () => {
  await reportAll(api.db);
  domain = await createDomain(api);
});

async function read(serial: number | string = domain.serial): Promise<PublicationBody> {
  const response = await api.call('get', `/v1/domains/${domain.id}/changes/${serial}`).expect(200);
  return response.body as PublicationBody;
}

describe('Get the Publication of a Change', () => {
  it('is pending until every live nameserver has applied it', async () => {
    expect(await read()).toMatchObject({
      serial: domain.serial,
      state: 'pending',
      nameservers: [1, 2, 3, 4, 5, 6].map((number) => ({
        name: `ns1-${number}.ns.example.`,
        applied: false,
        applied_at: null,
        delay_ms: null,
        live: true,
      })),
    });
    await reportAll(api.db, [1, 2, 3, 4, 5]);
    expect(await read()).toMatchObject({ state: 'pending' });
    await report(api.db, 6);
    const published = await read();
    expect(published.state).toBe('published');
    for (const { applied, applied_at: appliedAt, delay_ms: delay } of published.nameservers) {
      expect(applied).toBe(true);
      expect(appliedAt! >= published.committed_at).toBe(true);
      const between = Date.parse(`${appliedAt}Z`) - Date.parse(`${published.committed_at}Z`);
      // Dates are in milliseconds, but measured times in microseconds.
      expect(Math.abs((delay ?? 0) - between)).toBeLessThanOrEqual(1);
    }
  });

  it('wait=N answers when the change is published, or after this number of seconds', async () => {
    const path = `/v1/domains/${domain.id}/changes/${domain.serial}`;
    const waiting = api
      .call('get', `${path}?wait=10`)
      .then(({ body }) => body as { state: string });
    await waitFor(async () => {
      const metrics = await fetch(`${api.operationsUrl}/metrics`);
      return (await metrics.text()).includes('publication_waiters 1');
    });
    await reportAll(api.db);
    expect(await waiting).toMatchObject({ state: 'published' });
    await api.call('get', `${path}?wait=10`).expect(200);
    for (const wait of ['0', '11', 'x', '']) {
      expect((await api.call('get', `${path}?wait=${wait}`)).status).toBe(400);
    }
  });

  it('the time of a change stays that of the first report that shows it', async () => {
    await reportAll(api.db);
    const first = await read();
    await reportAll(api.db);
    expect(await read()).toEqual(first);
  });

  it('is null if it is not known because the stored times do not reach back to the change', async () => {
    await reportAll(api.db);
    await api.db.raw(
      `delete from dns.nameserver_progress as p where p.name = 'ns1-1' and not pg_visible_in_snapshot(
         (select changed_in from dns.domains where id = ?), p.horizon)`,
      [domain.id],
    );
    const { state, nameservers } = await read();
    expect(state).toBe('published');
    expect(nameservers[0]).toMatchObject({ applied: true, applied_at: null, delay_ms: null });
    expect(nameservers[1]?.applied_at).not.toBeNull();
  });

  it("includes the signer's steps, which are not in the history", async () => {
    await api.db.raw(
      `with step as (update dns.domains set serial = serial + 1, changed_in = pg_current_xact_id() where id = ?
                     returning id, serial)
       insert into dns.signing_steps (domain_id, serial_before, serial_after) select id, serial - 1, serial from step`,
      [domain.id],
    );
    const step = domain.serial + 1;
    expect(await read(step)).toMatchObject({ serial: step, state: 'pending' });
    await reportAll(api.db);
    expect(await read(step)).toMatchObject({ state: 'published' });
    // A later change is not published yet, but the nameservers have the earlier one.
    await createRecord(api, domain.id, { name: domain.name, type: 'TXT', data: '"later"' });
    await reportAll(api.db);
    expect(await read(step)).toMatchObject({ state: 'published' });
    await api.call('get', `/v1/domains/${domain.id}/changes/${step + 2}`).expect(404);
  });

  it('a nameserver that has been silent for 10 s is named and delays nothing', async () => {
    await reportAll(api.db, [1, 2, 3, 4, 5]);
    await silence(api.db, [6]);
    const { state, nameservers } = await read();
    expect(state).toBe('published');
    expect(nameservers[5]).toMatchObject({ applied: false, live: false });
  });

  it('without live nameservers it is pending unless one had applied it', async () => {
    await silence(api.db, [1, 2, 3, 4, 5, 6]);
    expect(await read()).toMatchObject({ state: 'pending' });
    await reportAll(api.db);
    await silence(api.db, [1, 2, 3, 4, 5, 6]);
    expect(await read()).toMatchObject({ state: 'published' });
  });

  it('a transaction in progress delays no other', async () => {
    const underWay = await api.db.transaction();
    await underWay.raw('select pg_current_xact_id()');
    const { id, name } = domain;
    await createRecord(api, id, { name: `a.${name}`, type: 'A', data: '192.0.2.1' });
    await reportAll(api.db);
    const { serial } = await readDomain(api, id);
    expect(await read(serial)).toMatchObject({ state: 'published' });
    await underWay.rollback();
  });

  it('a nameserver that cannot load the zone has not applied it', async () => {
    await reportAll(api.db);
    await report(api.db, 6, { failedZones: { [domain.name]: domain.serial - 1 } });
    const { state, nameservers } = await read();
    expect(state).toBe('pending');
    expect(nameservers[5]).toMatchObject({ applied: false, live: true });
    await report(api.db, 6, { failedZones: { [domain.name]: domain.serial } });
    expect(await read()).toMatchObject({ state: 'published' });
  });

  it.each(['0', '4294967296', 'x', '-1', '1.5'])(
    'the serial %s, which the domain never had, is not found',
    async (serial) => {
      const response = await api.call('get', `/v1/domains/${domain.id}/changes/${serial}`);
      expect(response.status).toBe(404);
      expect(response.body).toMatchObject({ type: 'not_found' });
    },
  );
});

describe('List Nameservers', () => {
  const list = async () => {
    const response = await api.callAs('token-operator', 'get', '/v1/nameservers').expect(200);
    return (response.body as { nameservers: Record<string, unknown>[] }).nameservers;
  };

  it('is refused to tenants', async () => {
    const response = await api.call('get', '/v1/nameservers');
    expect(response.status).toBe(403);
    expect(response.body).toMatchObject({ type: 'forbidden' });
  });

  it('shows operators position, lag, heartbeat, zones, version and address', async () => {
    await reportAll(api.db);
    const [first] = await list();
    expect(first).toMatchObject({
      name: 'ns1-1.ns.example.',
      ipv4: '192.0.2.1',
      ipv6: null,
      live: true,
      address: '127.0.0.1:53',
      version: '9.9.9',
      position: expect.stringMatching(/^\d+$/) as unknown,
      lag_ms: 0,
      zones: 3,
      failed_zones: 0,
      image_bytes: 1000,
    });
    expect(first?.['heartbeat_age_ms']).toBeLessThan(10_000);
  });

  it('a nameserver that misses a change lags since that change', async () => {
    await report(api.db, 1);
    await createDomain(api);
    await report(api.db, 2);
    const [first, second] = await list();
    expect(first?.['lag_ms']).toBeGreaterThan(0);
    expect(second?.['lag_ms']).toBe(0);
  });

  it('a nameserver that has never reported is named', async () => {
    await api.db.raw(`insert into dns.servers (name, position) values ('late.ns.example.', 7)`);
    const last = (await list()).at(-1);
    await api.db.raw(`delete from dns.servers where name = 'late.ns.example.'`);
    expect(last).toMatchObject({ name: 'late.ns.example.', live: false, position: null });
  });

  it('the metrics show the same values', async () => {
    await reportAll(api.db);
    await silence(api.db, [6]);
    const text = await (await fetch(`${api.operationsUrl}/metrics`)).text();
    expect(text).toContain('zonewright_dns_api_nameserver_live{nameserver="ns1-1.ns.example."} 1');
    expect(text).toContain('zonewright_dns_api_nameserver_live{nameserver="ns1-6.ns.example."} 0');
    for (const name of ['lag_seconds', 'heartbeat_age_seconds', 'zones', 'position']) {
      expect(text).toContain(
        `zonewright_dns_api_nameserver_${name}{nameserver="ns1-1.ns.example."}`,
      );
    }
  });
});
