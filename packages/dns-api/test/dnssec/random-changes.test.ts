import { beforeAll, describe, expect, it } from '@jest/globals';
import { addNameservers, faultSeed, seededRandom } from '@zonewright/testkit';
import { createDomain, type DomainBody } from '../support/fixtures.js';
import { insist as insistOn } from '../support/insist.js';
import { readSignedZone, ZoneVerifier } from '../support/signed-zone.js';
import { useApi } from '../support/use-api.js';
import { signerEnv, useSigner } from '../support/use-signer.js';

/** The number of changes; `npm run test:faults` uses 10,000. */
const CHANGES = Number(process.env['ZONEWRIGHT_SIGNED_CHANGES'] ?? 60);

let retries = 0;

const env = await signerEnv();
const api = useApi({ env: { ...env, DNS_API_MAX_DOMAINS: '1000' } });
const signer = useSigner(api, env);
const verifier = new ZoneVerifier();
beforeAll(async () => {
  await addNameservers(api.db);
});

const random = seededRandom(faultSeed());
const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)]!;

const LABELS = ['a', 'b', 'c', 'zz', 'a-b', '_x'];
/** The names of child zones; a CNAME that already exists there would be beside their NS records. */
const CHILDREN = ['kid', 'a.kid', 'b-kid'];
const DATA = [
  { type: 'A', data: '192.0.2.1' },
  { type: 'A', data: '192.0.2.2', ttl: 60 },
  { type: 'TXT', data: '"some text"', ttl: 900 },
  { type: 'MX', data: 'Mail.Example.NET.', priority: 5 },
  { type: 'NS', data: 'ns.example.net.' },
  { type: 'CNAME', data: 'target.example.net.' },
  { type: 'SRV', data: '1 2 Sip.example.net.', priority: 1 },
];

/** NS records at a wildcard have no defined meaning (RFC 4592, section 4.2). */
function anyRecord(domain: DomainBody): object {
  const name = anyName(domain);
  return { name, ...pick(name.startsWith('*') ? DATA.filter(({ type }) => type !== 'NS') : DATA) };
}

function anyName({ name }: DomainBody): string {
  // Sometimes the name is the apex, where the service has its own NS records.
  const depth = random() < 0.1 ? 0 : 1 + Math.floor(random() * 3);
  const labels = Array.from({ length: depth }, () => pick(LABELS));
  return [...(random() < 0.1 ? ['*'] : []), ...labels, name].join('.');
}

type Change = readonly ['post' | 'put' | 'delete', path: string, body?: object];

/** Makes a random change; a refused one has no effect, but counts. */
async function changeSomething(domain: DomainBody): Promise<string> {
  const path = `/v1/domains/${domain.id}`;
  const listed = await insist('get', `${path}/records?limit=1000&extended=true`);
  const { records } = listed.body as { records: { id: string; type: string }[] };
  const kinds: readonly (() => Change | Promise<Change>)[] = [
    () => ['post', `${path}/records`, anyRecord(domain)],
    () => ['post', `${path}/records`, anyRecord(domain)],
    () => ['delete', `${path}/records/${pick(records).id}`],
    () => [
      'put',
      `${path}/records/${pick(records).id}`,
      { name: anyName(domain).replace('*.', ''), ttl: pick([30, 60, 900]) },
    ],
    () => ['put', `${path}/records/${pick(records).id}`, { disabled: random() < 0.6 }],
    () => ['put', path, { ttl: pick([120, 600, 3_600]) }],
    async () => {
      const name = `${pick(CHILDREN)}.${domain.name}`;
      const found = await insist('get', `/v1/domains?name=${name}`);
      const child = (found.body as { domains: { id: string }[] }).domains[0];
      return child === undefined
        ? ['post', '/v1/domains', { name, email: 'admin@example.com' }]
        : ['delete', `/v1/domains/${child.id}`];
    },
  ];
  const kind = records.length === 0 ? 0 : Math.floor(random() * kinds.length);
  const { status, body } = await insist(...(await kinds[kind]!()));
  expect({ kind, status, body: status < 500 || body }).toEqual({ kind, status, body: true });
  return `change ${kind}: ${status}`;
}

async function insist(...call: Parameters<typeof api.call>) {
  return await insistOn(api, call, () => {
    retries += 1;
  });
}

describe('RFC 4035 s2: a signed domain after any changes', () => {
  it(
    `is accepted by other programs after each of ${CHANGES} changes`,
    async () => {
      const domain = await createDomain(api);
      await api.call('put', `/v1/domains/${domain.id}/dnssec`, { enabled: true }).expect(200);
      await signer.run();
      for (let count = 1; count <= CHANGES; count += 1) {
        const what = await changeSomething(domain);
        const faults = await verifier.faultsOf(
          domain.name,
          await readSignedZone(api.db, domain.name),
        );
        expect({ count, what, faults }).toEqual({ count, what, faults: '' });
        if (count % 1_000 === 0) process.stdout.write(`${count} changes, ${retries} tried again\n`);
      }
    },
    60_000 + CHANGES * 1_000,
  );
});
