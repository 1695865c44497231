import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { ask, waitFor } from '@zonewright/testkit';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ApiAnswer, authenticate, call } from './support/clients.js';
import { itWith } from './support/foreign-programs.js';
import { RunningPlatform } from './support/running-platform.js';
import { SECURE, SECURELY_MISSING, validateAnswer } from './support/validate-answer.js';

const ZONE = 'signed.example.';
const DEADLINE_MS = 60_000;

/** ISC's resolver as a command; Debian's package bind9-dnsutils has it. */
const itValidated = itWith('delv', '-v');

interface Dnssec {
  readonly state: string;
  readonly ds: readonly string[];
}

describe('a signed domain, from the API by way of the signer to who validates what the nameserver answers', () => {
  const folder = mkdtempSync(join(tmpdir(), 'zonewright-dnssec-'));
  let platform: RunningPlatform;
  let token: string;
  let signed: string;
  let unsigned: string;

  beforeAll(async () => {
    platform = await RunningPlatform.prepare();
    await platform.start();
    token = await authenticate(await platform.readDemoEnvironment());
    signed = await createDomain(ZONE);
    unsigned = await createDomain('unsigned.example.');
  }, 150_000);
  afterAll(async () => {
    await platform.remove();
    rmSync(folder, { recursive: true });
  });

  async function api(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object) {
    const url = `http://127.0.0.1:${platform.ports.dns}/v1/domains${path}`;
    return await call(url, { method, token, body });
  }

  async function createDomain(name: string): Promise<string> {
    const { body } = await api('POST', '', { name, email: 'hostmaster@example.com' });
    return `/${(body as { id: string }).id}`;
  }

  const addRecord = (domain: string, name: string): Promise<ApiAnswer> =>
    api('POST', `${domain}/records`, { name, type: 'A', data: '192.0.2.1' });

  async function awaitState(state: string): Promise<Dnssec> {
    return await waitFor(async () => {
      const { body } = await api('GET', `${signed}/dnssec`);
      return (body as Dnssec).state === state && (body as Dnssec);
    }, DEADLINE_MS);
  }

  const validate = (name: string, type = 'A') =>
    validateAnswer(platform.nameserver, { file: join(folder, 'anchors'), root: ZONE }, name, type);

  async function awaitSecure(name: string): Promise<void> {
    await waitFor(async () => (await ask(platform.nameserver, name, 'A')).answers.length > 0);
    expect(validate(name)).toContain(SECURE);
  }

  itValidated(
    'is secure with the DS that the API shows',
    async () => {
      expect(await addRecord(signed, `www.${ZONE}`)).toMatchObject({ status: 200 });
      expect(await api('PUT', `${signed}/dnssec`, { enabled: true })).toMatchObject({
        status: 200,
      });
      const { ds } = await awaitState('signed');
      const anchors = ds.map((each) => {
        const [tag, algorithm, digestType, digest] = each.split(' ');
        return `"${ZONE}" static-ds ${tag} ${algorithm} ${digestType} "${digest}";`;
      });
      writeFileSync(join(folder, 'anchors'), `trust-anchors { ${anchors.join(' ')} };\n`);
      await waitFor(
        async () => (await ask(platform.nameserver, ZONE, 'DNSKEY')).answers.length > 0,
      );
      expect(validate(`www.${ZONE}`)).toContain(SECURE);
      expect(validate(ZONE, 'SOA')).toContain(SECURE);
      expect(validate(`missing.${ZONE}`)).toContain(SECURELY_MISSING);
      expect(validate(`www.${ZONE}`, 'AAAA')).toContain(SECURELY_MISSING);
    },
    DEADLINE_MS * 2,
  );

  itValidated('is secure after each change', async () => {
    expect(await addRecord(signed, `new.${ZONE}`)).toMatchObject({ status: 200 });
    await awaitSecure(`new.${ZONE}`);
    expect(await addRecord(signed, `*.wild.${ZONE}`)).toMatchObject({ status: 200 });
    await awaitSecure(`any.wild.${ZONE}`);
    expect(validate(`missing.${ZONE}`)).toContain(SECURELY_MISSING);
  });

  itValidated(
    'cannot be changed while the signer is away, as others can, and again when it is back',
    async () => {
      let round = 0;
      await waitFor(async () => {
        round += 1;
        platform.kill('signer');
        // On a busy machine it may be back before this.
        const [refused, done] = await Promise.all([
          addRecord(signed, `away-${round}.${ZONE}`),
          addRecord(unsigned, `away-${round}.unsigned.example.`),
        ]);
        expect(done).toMatchObject({ status: 200 });
        return refused.status === 503 && refused.headers.has('retry-after');
      }, DEADLINE_MS);
      expect(validate(`www.${ZONE}`)).toContain(SECURE);
      await waitFor(
        async () => (await addRecord(signed, `back.${ZONE}`)).status === 200,
        DEADLINE_MS,
      );
      await awaitSecure(`back.${ZONE}`);
      expect(validate(`away-${round}.${ZONE}`)).toContain(SECURELY_MISSING);
    },
    DEADLINE_MS * 3,
  );

  itValidated(
    'is unsigned at once where that is forced',
    async () => {
      expect(await api('DELETE', `${signed}/dnssec?force=true`)).toMatchObject({ status: 200 });
      await awaitState('unsigned');
      await waitFor(
        async () => (await ask(platform.nameserver, ZONE, 'DNSKEY')).answers.length === 0,
      );
      expect(validate(`www.${ZONE}`)).toContain('resolution failed');
      expect((await ask(platform.nameserver, `www.${ZONE}`, 'A')).answers).toHaveLength(1);
    },
    DEADLINE_MS * 2,
  );
});
