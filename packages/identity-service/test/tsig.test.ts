import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  appendTsig,
  nameToWire,
  readMessage,
  RR_CLASS,
  RR_TYPE,
  signRequest,
  TsigAnswerChecker,
  type TsigKey,
  writeMessage,
} from '@zonewright/dns-records';
import { insertAccessKey, waitFor } from '@zonewright/testkit';
import { type Answer, call, tokenOf } from './client.js';
import { keyring, useIdentity } from './use-identity.js';

const identity = useIdentity({
  env: { RATE_LIMITS: 'true', RATE_LIMIT_TSIG: '3', RATE_LIMIT_AUTHENTICATE: '3' },
});
const MESSAGE = writeMessage({
  id: 1,
  flags: 0x2800,
  questions: [{ name: nameToWire('example.com.'), type: RR_TYPE.SOA, class: RR_CLASS.IN }],
});
const ANSWER = writeMessage({ id: 1, flags: 0xa800 });

let token = '';
let key: TsigKey;
let id = '';
let sources = 0;

beforeAll(async () => {
  const { db, url, world } = identity;
  token = await tokenOf(url, world.serviceUser);
  const secretKey = Buffer.alloc(30, 7).toString('base64');
  const made = await insertAccessKey(db, keyring, {
    userId: world.user.id,
    accountDomainId: world.accountDomainId,
    id: 'Key-1',
    secretKey,
  });
  id = made.accessKey;
  const secret = Buffer.from(secretKey, 'base64');
  key = { name: 'key-1.', algorithm: 'hmac-sha256', secret };
});

const now = () => Date.now() / 1000;
const base64 = (octets: Uint8Array) => Buffer.from(octets).toString('base64');

async function post(
  path: 'verify' | 'sign' | 'exchange' | 'sign-transfer',
  tsig: object,
): Promise<Answer> {
  return await call(identity.url, {
    method: 'POST',
    path: `/v3/internal/tsig/${path}`,
    token,
    body: { tsig },
  });
}

/** Verifies each message from a different network. */
async function verify(message: Uint8Array, members: object = {}): Promise<Answer> {
  sources += 1;
  const source = `10.0.${sources}.1`;
  const { tenant } = identity.world;
  return await post('verify', {
    message: base64(message),
    source,
    tenant_id: tenant.id,
    ...members,
  });
}

describe('Exchange TSIG', () => {
  it('returns the signer of each message, and signs the answers', async () => {
    const { world } = identity;
    const signed = signRequest(MESSAGE, key, now());
    const wrong = signRequest(MESSAGE, { ...key, secret: Buffer.alloc(30) }, now());
    const late = signRequest(MESSAGE, key, now() - 999);
    const requests = [signed, wrong, late, signed].map(({ message }, at) => ({
      message: base64(message),
      source: `10.200.${at}.1`,
      answer: base64(ANSWER),
      ...(at === 3 ? {} : { tenant_id: world.tenant.id }),
    }));
    const { status, json } = await post('exchange', { requests });
    expect(status).toBe(200);
    expect(json).toMatchObject({
      results: [
        { fault: null, access_key_id: id, token: 0 },
        { fault: 'BADSIG' },
        { fault: 'BADTIME' },
        { fault: null, access_key_id: id, token: null },
      ],
      tokens: [{ project: { id: world.tenant.id } }],
    });
    const { results } = json as { results: { answer?: string }[] };
    const answers = results.map(({ answer }) => answer !== undefined);
    expect(answers).toEqual([true, false, false, true]);
    const octets = Buffer.from(results[0]?.answer ?? '', 'base64');
    const checker = new TsigAnswerChecker(key, signed.mac);
    expect(checker.check(octets, readMessage(octets).tsig, now())).toBeUndefined();
  });

  it('a source with too many wrong MACs is refused, and no other', async () => {
    const wrong = signRequest(MESSAGE, { ...key, secret: Buffer.alloc(30) }, now());
    const right = signRequest(MESSAGE, key, now());
    const requests = Array.from({ length: 6 }, () => ({
      message: base64(wrong.message),
      source: '10.201.0.1',
      answer: base64(ANSWER),
    }));
    requests.push({ ...requests[0]!, message: base64(right.message), source: '10.202.0.1' });
    const { status, json } = await post('exchange', { requests });
    expect(status).toBe(200);
    const { results } = json as { results: { too_many?: true; fault?: string | null }[] };
    expect(results.filter(({ too_many: isTooMuch }) => isTooMuch)).not.toEqual([]);
    expect(results.at(-1)).toMatchObject({ fault: null });
  });
});

describe('Check TSIG', () => {
  it('returns the owner of the key, in any letter case, and the contents of a token', async () => {
    const { world } = identity;
    for (const name of ['key-1.', 'KEY-1.']) {
      const answer = await verify(signRequest(MESSAGE, { ...key, name }, now()).message);
      expect(answer.status).toBe(200);
      expect(answer.json).toMatchObject({
        fault: null,
        access_key_id: id,
        token: { user: { id: world.user.id }, project: { id: world.tenant.id } },
      });
    }
  });

  it('returns nothing for a tenant in which the user has no role, and for a missing one', async () => {
    const { message } = signRequest(MESSAGE, key, now());
    for (const tenant of ['nobody', undefined]) {
      const answer = await verify(message, { tenant_id: tenant });
      expect(answer.json).toEqual({ fault: null, access_key_id: id, token: null });
    }
  });

  it.each([
    ['BADKEY', 'a name that no key has', () => ({ ...key, name: 'key-2.' })],
    ['BADKEY', 'a name of two labels', () => ({ ...key, name: 'key-1.example.' })],
    ['BADKEY', 'another algorithm', () => ({ ...key, algorithm: 'hmac-sha512' as const })],
    ['BADSIG', 'another secret', () => ({ ...key, secret: Buffer.alloc(30) })],
  ])('RFC 8945 s5.2: returns %s for %s', async (fault, _what, other) => {
    const answer = await verify(signRequest(MESSAGE, other(), now()).message);
    expect(answer.json).toEqual({ fault });
  });

  it('RFC 8945 s5.2.3: returns BADTIME for an old signature', async () => {
    const answer = await verify(signRequest(MESSAGE, key, now() - 400).message);
    expect(answer.json).toEqual({ fault: 'BADTIME' });
  });

  it.each([
    ['inactive', { status: 'inactive' }],
    ['expired', { validFrom: new Date(0), validTo: new Date(1) }],
    ['short', { secretKey: 'AAAA' }],
    ['of no base64', { secretKey: 'not base64, but long enough' }],
  ])('returns BADKEY for a key that is %s', async (name, values) => {
    const { db, world } = identity;
    const { accountDomainId, user } = world;
    const own = name.replaceAll(' ', '-');
    const { secretKey } = await insertAccessKey(db, keyring, {
      userId: user.id,
      accountDomainId,
      id: own,
      ...values,
    });
    const secret = Buffer.from(secretKey, 'base64');
    const { message } = signRequest(MESSAGE, { ...key, name: `${own}.`, secret }, now());
    expect((await verify(message)).json).toEqual({ fault: 'BADKEY' });
  });

  it('returns BADKEY if two keys have the name in different letter cases', async () => {
    const { db, world } = identity;
    const { accountDomainId, user } = world;
    const secretKey = base64(key.secret);
    for (const twin of ['twin', 'TWIN'])
      await insertAccessKey(db, keyring, { userId: user.id, accountDomainId, id: twin, secretKey });
    const { message } = signRequest(MESSAGE, { ...key, name: 'twin.' }, now());
    expect((await verify(message)).json).toEqual({ fault: 'BADKEY' });
  });

  it('counts wrong signatures for their network, and then refuses it; other networks are not affected', async () => {
    const { message } = signRequest(MESSAGE, { ...key, secret: Buffer.alloc(30) }, now());
    const statuses: number[] = [];
    for (let i = 0; i < 6; i++)
      statuses.push((await verify(message, { source: '192.0.2.1' })).status);
    expect(statuses).toContain(429);
    expect((await verify(message)).status).toBe(200);
  });

  it.each(['', 'AAAA', base64(MESSAGE)])(
    'returns 400 for a message without TSIG: %j',
    async (message) => {
      expect((await post('verify', { message, source: '10.0.0.1' })).status).toBe(400);
    },
  );
});

describe('Sign TSIG Answer', () => {
  it('signs the answer to a message of the same key, but not to a wrong one', async () => {
    const { message, mac } = signRequest(MESSAGE, key, now());
    const signed = await post('sign', { request: base64(message), answer: base64(ANSWER) });
    const octets = Buffer.from((signed.json as { message: string }).message, 'base64');
    const checker = new TsigAnswerChecker(key, mac);
    expect(checker.check(octets, readMessage(octets).tsig, now())).toBeUndefined();

    const wrong = signRequest(MESSAGE, { ...key, secret: Buffer.alloc(30) }, now()).message;
    const refused = await post('sign', { request: base64(wrong), answer: base64(ANSWER) });
    expect(refused.status).toBe(403);
  });

  it('RFC 8945 s5.2.3: tells a late client the current time', async () => {
    const { message, mac } = signRequest(MESSAGE, key, now() - 400);
    const members = { request: base64(message), answer: base64(ANSWER), is_late: true };
    const { json } = await post('sign', members);
    const octets = Buffer.from((json as { message: string }).message, 'base64');
    const { tsig } = readMessage(octets);
    expect(tsig).toMatchObject({ error: 18, other: { length: 6 } });
    expect(new TsigAnswerChecker(key, mac).check(octets, tsig, now() - 400)).toBeUndefined();
  });
});

describe('Sign Zone Transfer', () => {
  const bodyOf = (request: Uint8Array, messages: readonly Uint8Array[]) => ({
    request: base64(request),
    answers: messages.map((message) => ({ message: base64(message) })),
  });

  it('RFC 8945 s5.3.1: signs each message after the MAC of the one before', async () => {
    const { message, mac } = signRequest(MESSAGE, key, now());
    const long = Buffer.alloc(65_000);
    long.set(ANSWER);
    const messages = [ANSWER, long, ANSWER];
    const { status, json } = await post('sign-transfer', bodyOf(message, messages));
    expect(status).toBe(200);
    const { records } = json as { records: { tsig: string }[] };
    const checker = new TsigAnswerChecker(key, mac);
    const faults = messages.map((each, at) => {
      const signed = appendTsig(each, Buffer.from(records[at]?.tsig ?? '', 'base64'));
      const start = each.length;
      const record = signed.subarray(start);
      const only = readMessage(appendTsig(ANSWER, record)).tsig!;
      return checker.check(signed, { ...only, start }, now());
    });
    expect(faults).toEqual([undefined, undefined, undefined]);
    expect(checker.isComplete).toBe(true);
  });

  it('signs nothing for a wrong request, and takes 3,000,000 bytes', async () => {
    const wrong = signRequest(MESSAGE, { ...key, secret: Buffer.alloc(30) }, now()).message;
    expect((await post('sign-transfer', bodyOf(wrong, [ANSWER]))).status).toBe(403);
    const { message } = signRequest(MESSAGE, key, now());
    const largest = Array.from({ length: 48 }, () => Buffer.alloc(62_500));
    expect((await post('sign-transfer', bodyOf(message, largest))).status).toBe(200);
    const more = Array.from({ length: 60 }, () => Buffer.alloc(62_500));
    expect((await post('sign-transfer', bodyOf(message, more))).status).toBe(413);
  });
});

describe('Check Presented Access Key', () => {
  const check = async (secret: string, source: string): Promise<Answer> =>
    await call(identity.url, {
      method: 'POST',
      path: '/v3/internal/access-keys/verify',
      token,
      body: { access_key: { id, secret, source } },
    });
  const many = async (secret: string, source: string) => {
    const answers = await Promise.all(Array.from({ length: 12 }, () => check(secret, source)));
    return answers.map(({ status }) => status);
  };

  it('counts wrong signatures as failed log-ins of their network, and right ones for their owner', async () => {
    await waitFor(async () => (await many('wrong', '192.0.2.9')).includes(429));
    expect((await check(base64(key.secret), '192.0.3.9')).status).toBe(200);
    await waitFor(async () => (await many(base64(key.secret), '192.0.4.9')).includes(429));
  });
});
