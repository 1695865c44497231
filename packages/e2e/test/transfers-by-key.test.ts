import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { sendQuery, waitFor } from '@zonewright/testkit';
import { join } from 'node:path';
import { itWith, PYTHON, run, TIMEOUT_MS } from './support/foreign-programs.js';
import { PROJECT, RunningPlatform } from './support/running-platform.js';

const ZONE = 'transferred.example.';
const SIGNED_ZONE = 'signed.example.';
const CLIENTS = join(PROJECT, 'packages/e2e/test/support/rfc2136-clients.py');

const UNAVAILABLE = 'SERVFAIL 14 Access keys cannot be checked at the moment; try again.';

const itWithDig = itWith('dig', '-v');
const itWithDnspython = itWith(PYTHON, '-c', 'import dns.xfr');

interface Key {
  readonly id: string;
  readonly secret: string;
}

describe('Zones are transferred by access key (RFC 5936, RFC 1995, RFC 8945)', () => {
  let platform: RunningPlatform;
  let facts: Record<string, string> = {};
  let token = '';
  let zoneId = '';

  beforeAll(async () => {
    platform = await RunningPlatform.prepare();
    await platform.start({
      DNS_API_MAX_DOMAIN_RECORDS: '20000',
      NAMESERVER_FEED_POLL_INTERVAL_MS: '100',
      RATE_LIMITS: 'false',
    });
    facts = await platform.readDemoEnvironment();
    token = await logIn();
    zoneId = await createZone(ZONE);
    const record = (name: string, type: string, data: string, members = {}) =>
      call('POST', 'dns', `/v1/domains/${zoneId}/records`, {
        ...{ name: `${name}.${ZONE}`, type, data, ttl: 300 },
        ...members,
      });
    await record('old', 'TXT', '"old"');
    await record('off', 'A', '192.0.2.66', { disabled: true });
  }, TIMEOUT_MS);
  afterAll(async () => {
    await platform.remove();
  }, TIMEOUT_MS);

  async function call<T>(
    method: string,
    service: 'dns' | 'identity',
    path: string,
    body?: object | string,
  ): Promise<T> {
    const isFile = typeof body === 'string';
    const response = await fetch(`http://127.0.0.1:${platform.ports[service]}${path}`, {
      method,
      headers: {
        'X-Auth-Token': token,
        'Content-Type': isFile ? 'text/dns' : 'application/json',
        Prefer: 'wait=20',
      },
      body: isFile || body === undefined ? (body ?? null) : JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return (text === '' ? undefined : JSON.parse(text)) as T;
  }

  async function logIn(): Promise<string> {
    const { ZONEWRIGHT_USERNAME: username, ZONEWRIGHT_PASSWORD: password } = facts;
    const passwordCredentials = { username, password };
    const auth = { passwordCredentials, tenantId: facts['ZONEWRIGHT_TENANT_ID'] };
    const { access } = await call<{ access: { token: { id: string } } }>(
      ...(['POST', 'identity', '/v2.0/tokens', { auth }] as const),
    );
    return access.token.id;
  }

  async function makeKey(restrictions?: object): Promise<Key> {
    const accessKey = restrictions === undefined ? {} : { otherAttributes: { restrictions } };
    const made = await call<{ accessKey: { accessKeyId: string; secretKey: string } }>(
      ...(['POST', 'identity', '/v2.0/EXT-IDM/v1.0/accesskeys', { accessKey }] as const),
    );
    return { id: made.accessKey.accessKeyId, secret: made.accessKey.secretKey };
  }

  async function createZone(name: string, members: object = {}): Promise<string> {
    const { id } = await call<{ id: string }>('POST', 'dns', '/v1/domains', {
      ...{ name, email: 'a@example.com', ttl: 300 },
      ...members,
    });
    return id;
  }

  function dig(key: Key, zone: string, ...options: readonly string[]): string[] {
    const { host, port } = platform.nameserver;
    const signature = ['-y', `hmac-sha256:${key.id}:${key.secret}`];
    const args = [`@${host}`, '-p', String(port), ...signature, ...options, zone];
    return run('dig', [...args, '+nocmd', '+nostats'])
      .stdout.split('\n')
      .filter(Boolean);
  }

  const recordsOf = (lines: readonly string[]) =>
    lines.filter((line) => !line.startsWith(';') && !/\s(TSIG)\s/.test(line));

  itWithDig(
    'dig -y transfers a zone without its disabled records, and then its changes',
    async () => {
      const key = await makeKey();
      const whole = dig(key, ZONE, 'AXFR');
      const texts = recordsOf(whole).map((line) => line.replaceAll(/\s+/g, ' '));
      expect(whole.join('\n')).not.toMatch(/verify|failed/);
      expect(texts[0]).toMatch(/ SOA /);
      expect(texts.at(-1)).toBe(texts[0]);
      expect(texts).toContain(`old.${ZONE} 300 IN TXT "old"`);
      expect(texts.join('\n')).not.toContain('off.');
      const serial = texts[0]?.split(' ')[6] ?? '';
      const record = { name: `new.${ZONE}`, type: 'A', data: '192.0.2.9', ttl: 300 };
      await call('POST', 'dns', `/v1/domains/${zoneId}/records`, record);
      const changes = recordsOf(dig(key, ZONE, `IXFR=${serial}`)).map((line) =>
        line.replaceAll(/\s+/g, ' '),
      );
      expect(changes.map((text) => text.split(' ')[3])).toEqual(['SOA', 'SOA', 'SOA', 'A', 'SOA']);
      expect(changes[3]).toBe(`new.${ZONE} 300 IN A 192.0.2.9`);
    },
    TIMEOUT_MS,
  );

  itWithDnspython.each([
    [
      'octodns',
      ['old.transferred.example. 300 TXT "old"', 'NOERROR'],
      ['octodns 300 A 192.0.2.1', 'octodns 300 A 192.0.2.2'],
    ],
    [
      'external-dns',
      ['NOERROR', 'NOERROR'],
      ['a-www 300 TXT "heritage=external-dns"', 'www 300 A 192.0.2.3'],
    ],
    ['ixfr', ['AXFR 0', 'NOERROR', 'ixfr2.transferred.example. 300 A 192.0.2.4'], []],
  ])(
    'dnspython reads the zone and changes it by the messages of %s',
    async (program, shown, changed) => {
      const key = await makeKey();
      const { host, port } = platform.nameserver;
      const args = [CLIENTS, program, host, String(port), ZONE, key.id, key.secret];
      const { stdout, stderr } = run(PYTHON, args);
      expect(stderr).toBe('');
      const lines = stdout.trim().split('\n');
      expect(lines).toEqual(expect.arrayContaining(shown));
      expect(lines.join('\n')).not.toContain('off.');
      const texts = recordsOf(dig(key, ZONE, 'AXFR')).map((line) =>
        line.replace(`.${ZONE}`, '').replaceAll(/\s+/g, ' ').replace(' IN ', ' '),
      );
      expect(texts).toEqual(expect.arrayContaining(changed));
    },
    TIMEOUT_MS,
  );

  itWithDig(
    'a refusal has an extended error with its reason (RFC 8914)',
    async () => {
      const rule = { zone: ZONE, name: '**', types: ['*'], actions: ['read', 'update'] };
      const whole = await makeKey({ rules: [rule] });
      expect(recordsOf(dig(whole, ZONE, 'AXFR')).length).toBeGreaterThan(2);
      const part = await makeKey({ rules: [{ ...rule, name: '_acme-challenge.**' }] });
      expect(reasonOf(part)).toBe('REFUSED 18 This access key may not read the whole zone.');
      const wrong = { ...whole, secret: Buffer.alloc(30).toString('base64') };
      expect(reasonOf(wrong)).toBe('NOTAUTH 18 The secret of the key is wrong.');
      const revoked = await makeKey();
      await call('DELETE', 'identity', `/v2.0/EXT-IDM/v1.0/accesskeys/${revoked.id}`);
      const unknown =
        'NOTAUTH 18 No active access key or transfer key has this name and algorithm.';
      expect(reasonOf(revoked)).toBe(unknown);
      expect(reasonOf({ ...whole, id: 'nobody' })).toBe(unknown);
      const often = await makeKey();
      const answers = Array.from({ length: 11 }, () => reasonOf(often));
      expect(answers.slice(0, 10)).toEqual(answers.slice(0, 10).fill('NOERROR'));
      expect(answers[10]).toMatch(/^(REFUSED 0 An access key may transfer 10 times|NOERROR$)/);
    },
    TIMEOUT_MS,
  );

  itWithDig(
    'a zone of 10,000 records is transferred, a larger one is refused',
    async () => {
      const key = await makeKey();
      const zone = 'large.example.';
      const id = await createZone(zone);
      const lines = (from: number, to: number) =>
        Array.from({ length: to - from }, (_, at) => `n${from + at} 60 A 192.0.2.1`).join('\n');
      const add = async (text: string) =>
        await call('POST', 'dns', `/v1/domains/${id}/import?mode=merge`, text);
      // The zone has an SOA record and six NS records.
      await add(lines(0, 9_993));
      const { length } = recordsOf(dig(key, zone, 'AXFR'));
      expect(length).toBe(10_001);
      await add(lines(9_993, 9_994));
      expect(reasonOf(key, zone)).toMatch(/^REFUSED 0 The zone has more than 10000 records/);
      expect(reasonOf(key, zone, 'IXFR=1')).toMatch(/^REFUSED 0 The zone has more than/);
    },
    TIMEOUT_MS,
  );

  itWithDig(
    'a signed zone comes with its signatures, and its hosted child is delegated',
    async () => {
      const key = await makeKey();
      const id = await createZone(SIGNED_ZONE);
      await createZone(`child.${SIGNED_ZONE}`);
      await call('PUT', 'dns', `/v1/domains/${id}/dnssec`, { enabled: true });
      const typesAt = (name: string, lines: readonly string[]) =>
        new Set(
          lines
            .map((line) => line.split(/\s+/))
            .flatMap((each) => (each[0] === name ? each[3] : [])),
        );
      await waitFor(async () => {
        const { answers } = await sendQuery(platform.nameserver, SIGNED_ZONE, 'DNSKEY');
        return answers.length > 0;
      }, 60_000);
      const records = recordsOf(dig(key, SIGNED_ZONE, 'AXFR'));
      expect([...typesAt(SIGNED_ZONE, records)]).toEqual(
        expect.arrayContaining(['SOA', 'NS', 'DNSKEY', 'RRSIG', 'NSEC']),
      );
      expect([...typesAt(`child.${SIGNED_ZONE}`, records)]).toEqual(
        expect.arrayContaining(['NS', 'NSEC', 'RRSIG']),
      );
      expect(typesAt(`child.${SIGNED_ZONE}`, records)).not.toContain('SOA');
    },
    TIMEOUT_MS,
  );

  itWithDig(
    'without dns-api the answer is SERVFAIL with the reason, and transfers continue after it',
    async () => {
      const key = await makeKey();
      await waitFor(() => {
        try {
          platform.kill('dns-api');
        } catch {
          // It has not started again yet.
        }
        return reasonOf(key) === UNAVAILABLE;
      }, 60_000);
      await waitFor(() => reasonOf(key) === 'NOERROR', 60_000);
    },
    TIMEOUT_MS,
  );

  /** Returns the RCODE and the extended error of the response. */
  function reasonOf(key: Key, zone = ZONE, ...options: readonly string[]): string {
    const lines = dig(key, zone, 'AXFR', '+comments', ...options).join('\n');
    const rcode = /status: (\w+)/.exec(lines)?.[1] ?? 'none';
    const [, code, text] = /EDE: (\d+) [^:]*: \((.*)\)/.exec(lines) ?? [];
    return code === undefined ? rcode : `${rcode} ${code} ${text}`;
  }
});
