import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sendQuery, type NameserverAddress, waitFor } from '@zonewright/testkit';
import { type ApiAnswer, authenticate, call, insist } from './support/clients.js';
import { NameserverProcess } from './support/nameserver-process.js';
import { RunningPlatform } from './support/running-platform.js';

/** Number of writes. `npm run test:faults` uses 1,000. */
const WRITES = Number(process.env['PUBLISHED_WRITES'] ?? 100);
/** Number of domains that are written at the same time, with one write after the other in each. */
const DOMAINS = 10;
/** Time limit: three times the promise, since everything runs at once. */
const IN_STEP_WITHIN_MS = 15_000;
/** Time that a busy machine may add to that of the service. */
const ON_THE_WAY_MS = 5_000;

interface RecordBody {
  readonly id: string;
}

interface ZoneObject {
  readonly id: string;
  readonly name: string;
  readonly status: string;
}

interface PublicationBody {
  readonly state: string;
  readonly nameservers: readonly { name: string; applied: boolean; live: boolean }[];
}

describe('a write that returns when the world sees it, with six nameserver processes', () => {
  let platform: RunningPlatform;
  /** Nameservers ns1-2 to ns1-6; `npm start` runs ns1-1. */
  let others: NameserverProcess[];
  let domains: string;
  let token: string;

  beforeAll(async () => {
    platform = await RunningPlatform.prepare();
    await platform.start();
    others = [2, 3, 4, 5, 6].map((number) => new NameserverProcess(platform, `ns1-${number}`));
    await Promise.all(others.map((server) => server.start()));
    const facts = await platform.readDemoEnvironment();
    domains = `${facts['ZONEWRIGHT_DNS_URL'] ?? ''}/v1/domains`;
    token = await authenticate(facts);
    const probe = await createDomain('probe.example.');
    await waitFor(async () => (await createRecord(probe, '192.0.2.1')).published === '6/6', 60_000);
  }, 150_000);
  afterAll(async () => {
    await Promise.all(others.map((server) => server.kill()));
    await platform.remove();
  });

  const six = (): NameserverAddress[] => [
    platform.nameserver,
    ...others.map(({ address }) => address),
  ];
  const frozen = (): NameserverProcess => others.at(-1)!;

  interface Domain {
    readonly url: string;
    readonly name: string;
  }

  async function createDomain(name: string): Promise<Domain> {
    const { body } = await write(domains, 'POST', {
      name,
      email: 'hostmaster@example.com',
    });
    return { url: `${domains}/${(body as { id: string }).id}`, name };
  }

  async function write(
    url: string,
    method: 'POST' | 'PUT',
    body: object,
    prefer = 'wait=5',
  ): Promise<ApiAnswer & { published: string | null }> {
    const answer = await insist(url, { method, token, body, headers: { prefer } });
    expect(answer).toMatchObject({ status: 200 });
    return { ...answer, published: answer.headers.get('x-zonewright-published') };
  }

  let names = 0;
  async function createRecord({ url, name }: Domain, data: string, prefer?: string) {
    names += 1;
    const owner = `r${names}.${name}`;
    const answer = await write(`${url}/records`, 'POST', { name: owner, type: 'A', data }, prefer);
    return { ...answer, owner, id: (answer.body as RecordBody).id };
  }

  async function lastChangeOf(domain: Domain): Promise<PublicationBody> {
    const { body } = await call(domain.url, { token });
    const { serial } = body as { serial: number };
    const { body: publication } = await call(`${domain.url}/changes/${serial}`, { token });
    return publication as PublicationBody;
  }

  /** Returns each server's answers to one query. */
  async function askFor(owner: string, servers: readonly NameserverAddress[]): Promise<unknown[]> {
    const answers = await Promise.all(
      servers.map((server) => sendQuery(server, owner.slice(0, -1), 'A')),
    );
    return answers.map((answer) => answer.answers.map((record) => 'data' in record && record.data));
  }

  it(`all six answer the first query with a record that was written with Prefer: wait=5, ${WRITES} of ${WRITES}`, async () => {
    let correct = 0;
    const work = Array.from({ length: DOMAINS }, async (_, n) => {
      const domain = await createDomain(`world-${n}.example.`);
      for (let round = 0; round < WRITES / DOMAINS; round += 2) {
        const { owner, id, published } = await createRecord(domain, '192.0.2.1');
        expect(published).toBe('6/6');
        expect(await askFor(owner, six())).toEqual(Array(6).fill(['192.0.2.1']));
        correct += 1;
        const url = `${domain.url}/records/${id}`;
        const changed = await write(url, 'PUT', { data: '192.0.2.2' });
        expect(changed.published).toBe('6/6');
        expect(await askFor(owner, six())).toEqual(Array(6).fill(['192.0.2.2']));
        correct += 1;
      }
    });
    await Promise.all(work);
    expect(correct).toBe(WRITES);
  }, 180_000);

  it('v2: a zone is ACTIVE only while all live nameservers answer, with one of six paused, killed and restarted', async () => {
    const zones = domains.replace('/v1/domains', '/v2/zones');
    // A 503 means that nothing was done, because the machine is busy.
    const send = (method: 'POST' | 'PUT', url: string, body: object, prefer = '') =>
      waitFor(async () => {
        const answer = await call(url, { method, token, body, headers: { prefer } });
        expect({ ...answer, isDone: answer.status < 300 }).toMatchObject({ isDone: true });
        return answer.body as ZoneObject;
      }, 60_000);
    const zone = await send('POST', zones, { name: 'faces.example.', email: 'a@example.com' });
    const zoneUrl = `${zones}/${zone.id}`;
    const live = async () => {
      const { nameservers } = await lastChangeOf({ url: `${domains}/${zone.id}`, name: zone.name });
      return nameservers.filter((server) => server.live).map(({ name }) => name.split('.')[0]);
    };
    const numberOf = (name: string | undefined) => Number(name?.split('-')[1]);

    let changes = 0;
    /** Changes a recordset, and queries the nameservers as soon as it is ACTIVE. Returns the counted nameservers. */
    async function change(recordset: ZoneObject): Promise<number[]> {
      changes += 1;
      const data = `192.0.2.${changes}`;
      const url = `${zoneUrl}/recordsets/${recordset.id}`;
      const written = await send('PUT', url, { records: [data] });
      expect(['PENDING', 'ACTIVE']).toContain(written.status);
      await waitFor(async () => {
        const { body } = await call(url, { token });
        return (body as ZoneObject).status === 'ACTIVE';
      }, 60_000);
      const counted = (await live()).map(numberOf);
      const servers = six().filter((_, at) => counted.includes(at + 1));
      expect(await askFor(recordset.name, servers)).toEqual(Array(servers.length).fill([data]));
      // This is also the last change of the zone.
      expect(((await call(zoneUrl, { token })).body as ZoneObject).status).toBe('ACTIVE');
      return counted;
    }

    const made = await send('POST', `${zoneUrl}/recordsets`, {
      ...{ name: 'www.faces.example.', type: 'A', records: ['192.0.2.200'], ttl: 1 },
    });
    expect(made.status).toBe('PENDING');
    const untilAllCount = () => waitFor(async () => (await change(made)).length === 6, 60_000);
    await untilAllCount();
    const url = `${zoneUrl}/recordsets/${made.id}`;
    expect(await send('PUT', url, { records: ['192.0.2.201'] }, 'wait=10')).toMatchObject({
      status: 'ACTIVE',
      action: 'NONE',
    });
    expect(await askFor(made.name, six())).toEqual(Array(6).fill(['192.0.2.201']));
    for (const fault of ['SIGSTOP', 'SIGKILL'] as const) {
      if (fault === 'SIGSTOP') frozen().signal(fault);
      else await frozen().kill();
      // No change is ACTIVE until the nameserver has been silent for some time.
      expect(await change(made)).not.toContain(6);
      if (fault === 'SIGSTOP') frozen().signal('SIGCONT');
      else await frozen().start();
      // The nameserver counts again as soon as it reports, and delays ACTIVE until it answers.
      await untilAllCount();
    }
  }, 180_000);

  it('a frozen nameserver delays writes only until it counts as not live; then they report 5/6', async () => {
    const domain = await createDomain('frozen.example.');
    const five = six().slice(0, 5);
    frozen().signal('SIGSTOP');
    // A request without `wait` does not wait.
    const plain = await createRecord(domain, '192.0.2.5', '');
    expect(plain.published).toBeNull();
    const started = performance.now();
    const first = await createRecord(domain, '192.0.2.6', 'wait=10');
    const waited = performance.now() - started;
    expect(first.published).toBe('5/6');
    expect((await lastChangeOf(domain)).nameservers.at(-1)?.live).toBe(false);
    expect(await askFor(first.owner, five)).toEqual(Array(5).fill(['192.0.2.6']));
    // The last heartbeat of the nameserver was before the freeze, so the request need not wait for the full 10 s. The
    // rest is overhead.
    expect(waited).toBeLessThan(10_000 + ON_THE_WAY_MS);
    for (let n = 0; n < 20; n++) {
      const startedAt = performance.now();
      const { published, owner } = await createRecord(domain, '192.0.2.7');
      expect(published).toBe('5/6');
      expect(performance.now() - startedAt).toBeLessThan(5_000);
      expect(await askFor(owner, five)).toEqual(Array(5).fill(['192.0.2.7']));
    }
    const { state, nameservers } = await lastChangeOf(domain);
    expect(state).toBe('published');
    expect(nameservers.map(({ applied, live }) => [applied, live])).toEqual([
      ...Array<boolean[]>(5).fill([true, true]),
      [false, false],
    ]);
  }, 60_000);

  const inStep = (owner: string, data: string) =>
    waitFor(async () => {
      const [answers] = await askFor(owner, [frozen().address]);
      return JSON.stringify(answers) === JSON.stringify([data]);
    }, IN_STEP_WITHIN_MS);

  it('a resumed nameserver catches up within 5 s, and counts again', async () => {
    const domain = await createDomain('thawed.example.');
    const { owner, published } = await createRecord(domain, '192.0.2.8');
    expect(published).toBe('5/6');
    frozen().signal('SIGCONT');
    await inStep(owner, '192.0.2.8');
    await waitFor(async () => (await createRecord(domain, '192.0.2.9')).published === '6/6');
  }, 60_000);

  it('a nameserver that crashed and was restarted catches up within 5 s', async () => {
    const domain = await createDomain('crashed.example.');
    await frozen().kill();
    const { owner } = await createRecord(domain, '192.0.2.10', '');
    await frozen().start();
    await inStep(owner, '192.0.2.10');
    await waitFor(async () => (await createRecord(domain, '192.0.2.11')).published === '6/6');
  }, 60_000);
});
