import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { DnsApiService } from '@zonewright/dns-api';
import request from 'supertest';
import { fakeTokens } from './support/fake-tokens.js';
import { DnsResponder, type Script } from './support/dns-responder.js';
import { createDomain, type DomainBody } from './support/fixtures.js';
import { addServers } from './support/nameserver-reports.js';
import { testSettings, useApi } from './support/use-api.js';

const api = useApi();
const nameservers = Array.from({ length: 5 }, () => new DnsResponder());
let service: DnsApiService;
let url: string;
let domain: DomainBody;

beforeAll(async () => {
  await addServers(api.db);
  const ports = await Promise.all(nameservers.map((each) => each.start()));
  // The sixth nameserver does not exist: nothing listens on its port.
  const addresses = [...ports, 1].map((port, at) => `ns1-${at + 1}.ns.example.=127.0.0.1:${port}`);
  service = DnsApiService.create(
    testSettings(api.databaseUrl, { DNS_API_CHECK_NAMESERVERS: addresses.join(',') }),
    { tokens: fakeTokens },
  );
  url = (await service.start())['http'] ?? '';
  domain = await createDomain(api);
});
afterAll(async () => {
  await service.stop();
  for (const each of nameservers) each.stop();
});

const says = (script: Script) => {
  for (const each of nameservers) each.script = script;
};
beforeEach(() => {
  for (const each of nameservers) each.questions.length = 0;
});

interface Answers {
  readonly name: string;
  readonly type: string;
  readonly nameservers: readonly {
    readonly status: string;
    readonly differs: boolean;
    readonly records: readonly object[];
    readonly milliseconds: number | null;
  }[];
}
const ask = async (query: string, status = 200) =>
  (
    await request(url)
      .get(`/v1/domains/${domain.id}/answers${query}`)
      .set('X-Auth-Token', 'token-a')
      .expect(status)
  ).body as Answers;

describe('Ask the Nameservers', () => {
  it("shows each nameserver's answer, and which one differs", async () => {
    const answers = (address: string) => ({
      answers: [
        {
          type: 'MX' as const,
          name: domain.name,
          ttl: 60,
          data: { preference: 10, exchange: 'mail.example' },
        },
        { type: 'A' as const, name: `www.${domain.name}`, ttl: 60, data: address },
      ],
    });
    says(() => answers('192.0.2.1'));
    nameservers[2]!.script = () => answers('192.0.2.9');
    nameservers[3]!.script = () => ({ rcode: 'REFUSED' });
    const shown = await ask(`?name=www.${domain.name}&type=a`);
    expect(shown).toMatchObject({ name: `www.${domain.name}`, type: 'A' });
    expect(shown.nameservers.map(({ status, differs }) => [status, differs])).toEqual([
      ['NOERROR', false],
      ['NOERROR', false],
      ['NOERROR', true],
      ['REFUSED', true],
      ['NOERROR', false],
      ['no answer', false],
    ]);
    expect(shown.nameservers[0]?.records).toEqual([
      { name: domain.name, type: 'MX', ttl: 60, data: '10 mail.example.' },
      { name: `www.${domain.name}`, type: 'A', ttl: 60, data: '192.0.2.1' },
    ]);
    expect(shown.nameservers[5]?.milliseconds).toBeNull();
  });

  it('queries type A of the domain itself by default', async () => {
    says(() => ({}));
    await ask('');
    expect(nameservers[0]!.questions).toEqual([`${domain.name.replace(/\.$/, '')} A`]);
  });

  it.each([
    ['?name=elsewhere.example.', 'name'],
    ['?name=..', 'name'],
    ['?type=AXFR', 'type'],
    ['?type=TYPE252', 'type'],
    ['?type=NOTHING', 'type'],
    ['?dnssec=maybe', 'dnssec'],
  ])('%s is refused, and no nameserver is queried', async (query, path) => {
    const { errors } = (await ask(query, 400)) as unknown as { errors: { path: string }[] };
    expect(errors.map((each) => each.path)).toEqual([path]);
    expect(nameservers[0]!.questions).toEqual([]);
  });

  it('a tenant can send two queries at a time', async () => {
    says(() => undefined);
    const statuses = await Promise.all(
      Array.from({ length: 3 }, async () => {
        const answer = request(url).get(`/v1/domains/${domain.id}/answers`);
        return (await answer.set('X-Auth-Token', 'token-a')).status;
      }),
    );
    expect(statuses.toSorted()).toEqual([200, 200, 429]);
  });
});
