import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { addNameservers, faultSeed, seededRandom, waitFor } from '@zonewright/testkit';
import { type DomainBody, freshName } from '../support/fixtures.js';
import { insist } from '../support/insist.js';
import { readJournal, readRecordRows, replay } from '../support/journal.js';
import { readSignedZone, shapeOfSigned, ZoneVerifier } from '../support/signed-zone.js';
import { useApi } from '../support/use-api.js';
import { signerEnv, useSigner } from '../support/use-signer.js';

/** The number of groups; `npm run test:faults` uses more. */
const GROUPS = Number(process.env['ZONEWRIGHT_SIGNED_GROUPS'] ?? 12);
const MOST_AT_ONCE = 12;

/** A function that runs while a change waits for its signature. */
let whileSigning: (() => Promise<unknown>) | undefined;
const env = await signerEnv();
const front = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => {
    void forward(request.headers.authorization ?? '', Buffer.concat(parts)).then(
      async (answer) => response.writeHead(answer.status).end(await answer.text()),
      () => response.destroy(),
    );
  });
});

async function forward(authorization: string, body: Buffer): Promise<Response> {
  const work = whileSigning;
  whileSigning = undefined;
  await work?.();
  const headers = { authorization, 'content-type': 'application/json' };
  return await fetch(`${env.SIGNER_URL}/sign`, { method: 'POST', headers, body });
}

const api = useApi({
  env: { ...env, DNS_API_MAX_DOMAINS: '1000' },
  prepare: async () => ({ SIGNER_URL: `http://127.0.0.1:${await listen(front)}` }),
});
const signer = useSigner(api, env);
const verifier = new ZoneVerifier();
beforeAll(async () => {
  await addNameservers(api.db);
});
afterAll(async () => {
  await new Promise((closed) => {
    front.close(closed);
    front.closeAllConnections();
  });
});

async function listen(server: Server): Promise<number> {
  await new Promise<void>((listening) => {
    server.listen(0, '127.0.0.1', listening);
  });
  return (server.address() as { port: number }).port;
}

const random = seededRandom(faultSeed());
const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)]!;
const LABELS = ['a', 'b', 'c', 'zz', 'a-b', '_x', '*'];
const DATA = [
  { type: 'A', data: '192.0.2.1' },
  { type: 'A', data: '192.0.2.2', ttl: 60 },
  { type: 'TXT', data: '"some text"', ttl: 900 },
  { type: 'CNAME', data: 'target.example.net.' },
];

async function createSigned(): Promise<DomainBody> {
  const body = { name: freshName(), email: 'admin@example.com' };
  const created = await insist(api, ['post', '/v1/domains', body]);
  const domain = created.body as DomainBody;
  const { status } = await insist(api, [
    'put',
    `/v1/domains/${domain.id}/dnssec`,
    { enabled: true },
  ]);
  expect({ created, status }).toMatchObject({ created: { status: 200 }, status: 200 });
  await signer.run();
  return domain;
}

async function expectFaultless({ name }: DomainBody): Promise<string> {
  const text = await readSignedZone(api.db, name);
  expect(await verifier.faultsOf(name, text)).toBe('');
  return text;
}

async function listIds({ id }: DomainBody): Promise<string[]> {
  const answer = await insist(api, ['get', `/v1/domains/${id}/records?limit=1000`]);
  return (answer.body as { records: { id: string }[] }).records.map((record) => record.id);
}

/**
 * Sends some changes at once. A refused change has no effect, but counts here, and so does one that was too late on a
 * busy machine.
 */
async function changeTogether({ id, name }: DomainBody): Promise<void> {
  const ids = await listIds({ id } as DomainBody);
  const anyName = () =>
    [pick(LABELS), ...(random() < 0.5 ? [pick(LABELS.slice(0, 6))] : []), name].join('.');
  const kinds = [
    () => api.call('post', `/v1/domains/${id}/records`, { name: anyName(), ...pick(DATA) }),
    () => api.call('post', `/v1/domains/${id}/records`, { name: anyName(), ...pick(DATA) }),
    () => {
      const { data, ...rest } = pick(DATA);
      const recordset = { name: anyName(), ...rest, records: [data] };
      return api.call('post', `/v2/zones/${id}/recordsets`, recordset);
    },
    () => api.call('delete', `/v1/domains/${id}/records/${pick(ids)}`),
    () => api.call('put', `/v1/domains/${id}/records/${pick(ids)}`, { ttl: pick([30, 60, 900]) }),
  ];
  const count = 1 + Math.floor(random() * MOST_AT_ONCE);
  const answers = await Promise.all(
    Array.from(
      { length: count },
      async () => (await kinds[Math.floor(random() * (ids.length === 0 ? 3 : 5))]!()).status,
    ),
  );
  for (const status of answers) expect([200, 202, 204, 400, 404, 409, 503]).toContain(status);
}

describe('ADR 0044: changes of a signed domain that come together', () => {
  it(
    `are signed once, and leave a zone that other programs accept, after each of ${GROUPS} groups`,
    async () => {
      const domain = await createSigned();
      for (let group = 0; group < GROUPS; group += 1) {
        await changeTogether(domain);
        await expectFaultless(domain);
      }
      const journal = await readJournal(api.db, domain.id);
      expect(replay(journal)).toEqual(await readRecordRows(api.db, domain.id));
      const serials = [...new Set(journal.map((each) => each.serial_after))];
      expect(serials).toEqual(serials.toSorted((one, other) => one - other));
      // Steps of the service itself have no journal entries.
      const { rows } = await api.db.raw<{ rows: { before: number; after: number }[] }>(
        `select s.serial_before as before, s.serial_after as after from dns.signing_steps as s
          where s.domain_id = ? order by s.serial_after`,
        [domain.id],
      );
      expect(rows.slice(1).map(({ before }) => before)).toEqual(
        rows.slice(0, -1).map(({ after }) => after),
      );
      expect(rows.map(({ after }) => after)).toContain(serials.at(-1));
      const ofChanges = rows.filter(({ before, after }) =>
        serials.some((serial) => serial > before && serial <= after),
      );
      expect(ofChanges.length).toBeLessThan(serials.length);
    },
    60_000 + GROUPS * 5_000,
  );

  it('leave the same zone as one after the other', async () => {
    const domain = await createSigned();
    for (let group = 0; group < 4; group += 1) await changeTogether(domain);
    const other = await createSigned();
    const listed = await insist(api, ['get', `/v1/domains/${domain.id}/records?limit=1000`]);
    const { records } = listed.body as {
      records: { name: string; type: string; data: string; ttl: number | null }[];
    };
    for (const { name, type, data, ttl } of records) {
      const record = {
        name: name.replace(domain.name, other.name),
        type,
        data,
        ...(ttl === null ? {} : { ttl }),
      };
      const { status } = await insist(api, ['post', `/v1/domains/${other.id}/records`, record]);
      expect(status).toBe(200);
    }
    expect(records.length).toBeGreaterThan(0);
    expect(shapeOfSigned(await expectFaultless(other), other.name)).toEqual(
      shapeOfSigned(await expectFaultless(domain), domain.name),
    );
  });

  it.each<[what: string, change: (domain: DomainBody) => Promise<unknown>]>([
    [
      'something else is provided at the apex',
      () => api.db.raw('update dns.service_settings set soa_refresh = soa_refresh + 1'),
    ],
    [
      'another key comes',
      async ({ id }) => {
        await api.call('post', `/v1/domains/${id}/dnssec/rollover`).expect(200);
        await signer.run();
      },
    ],
    [
      'another key that signs before it is listed comes',
      async ({ id }) => {
        await api
          .call('put', `/v1/domains/${id}/dnssec`, { enabled: true, algorithm: 15 })
          .expect(200);
        await signer.run();
      },
    ],
  ])('%s while they are signed: they are signed in the new state', async (_, change) => {
    const domain = await createSigned();
    whileSigning = () => change(domain);
    const record = { name: `a.${domain.name}`, type: 'A', data: '192.0.2.1' };
    await waitFor(async () => {
      const { status } = await api.call('post', `/v1/domains/${domain.id}/records`, record);
      // On a busy machine the answer may be late, so the record may exist or not.
      return status === 200 || status === 409;
    });
    expect(whileSigning).toBeUndefined();
    const text = await expectFaultless(domain);
    expect(text).toContain(`\na.${domain.name} `);
    const { rows } = await api.db.raw<{ rows: { refresh: number }[] }>(
      'select s.soa_refresh as refresh from dns.service_settings as s',
    );
    const refresh = rows[0]?.refresh.toString(16).padStart(8, '0');
    expect(text).toMatch(new RegExp(`\\sSOA\\s.*${refresh}`));
    await signer.run();
    await expectFaultless(domain);
  });
});
