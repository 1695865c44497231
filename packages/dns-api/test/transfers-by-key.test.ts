import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  appendTsig,
  type Message,
  nameToWire,
  RCODE,
  rcodeOf,
  readMessage,
  RR_CLASS,
  RR_TYPE,
  signRequest,
  TsigAnswerChecker,
  type TsigKey,
  writeMessage,
} from '@zonewright/dns-records';
import {
  assignRole,
  insertAccessKey,
  insertRole,
  insertUser,
  readExtendedError,
  waitFor,
} from '@zonewright/testkit';
import { keyring, usePlatform } from './support/use-platform.js';

const platform = usePlatform();
const ZONE = 'transfer.example.';
const OPT = {
  name: new Uint8Array(1),
  type: RR_TYPE.OPT,
  class: 1_232,
  ttl: 0x8000,
  rdata: new Uint8Array(),
};
const WHOLE = { zone: ZONE, name: '**', types: ['*'], actions: ['read'] };

let nameserver = '';
let tenant = '';
let ids = 0;

beforeAll(async () => {
  const { db, world } = platform;
  const machine = await insertUser(db, { accountDomainId: world.accountDomainId });
  const roleId = await insertRole(db, { name: 'nameserver' });
  await assignRole(db, { userId: machine.id, roleId });
  nameserver = await platform.login(machine);
  tenant = await platform.login(world.user, world.tenant.id);
  const body = { name: ZONE, email: 'a@transfer.example' };
  expect(await post('/v1/domains', body, tenant)).toMatchObject({ status: 200 });
});

async function post(path: string, body: object, token = nameserver) {
  const response = await fetch(`${platform.dnsUrl}${path}`, {
    method: 'POST',
    headers: { 'x-auth-token': token, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

async function makeKey(members: object = {}, userId = platform.world.user.id): Promise<TsigKey> {
  const { accountDomainId } = platform.world;
  const secret = randomBytes(30);
  const secretKey = secret.toString('base64');
  const values = { userId, accountDomainId, secretKey, ...members };
  const { accessKey } = await insertAccessKey(platform.db, keyring, values);
  return { name: `${accessKey}.`, algorithm: 'hmac-sha256', secret };
}

async function makeRestrictedKey(...rules: readonly object[]): Promise<TsigKey> {
  return await makeKeyWith({ rules: rules.map((rule) => ({ ...WHOLE, ...rule })) });
}

async function makeKeyWith(restrictions: object): Promise<TsigKey> {
  const response = await fetch(`${platform.identityUrl}/v2.0/EXT-IDM/v1.0/accesskeys`, {
    method: 'POST',
    headers: { 'x-auth-token': tenant, 'content-type': 'application/json' },
    body: JSON.stringify({ accessKey: { otherAttributes: { restrictions } } }),
  });
  const { accessKey } = (await response.json()) as {
    accessKey: { accessKeyId: string; secretKey: string };
  };
  const secret = Buffer.from(accessKey.secretKey, 'base64');
  return { name: `${accessKey.accessKeyId}.`, algorithm: 'hmac-sha256', secret };
}

const now = () => Date.now() / 1_000;
const base64 = (octets: Uint8Array) => Buffer.from(octets).toString('base64');

function query(zone = ZONE, parts: Partial<Message> = {}, type: 'AXFR' | 'IXFR' = 'AXFR') {
  ids += 1;
  const questions = [{ name: nameToWire(zone), type: RR_TYPE[type], class: RR_CLASS.IN }];
  return writeMessage({ id: ids, flags: 0, questions, additionals: [OPT], ...parts });
}

/** Asks for a transfer, and returns the RCODE with the extended error. The answer must be signed unless said. */
async function ask(key: TsigKey, message = query(), source = '192.0.2.7') {
  const signed = signRequest(message, key, now());
  return await askSigned(key, signed, source);
}

async function askSigned(
  key: TsigKey,
  { message, mac }: ReturnType<typeof signRequest>,
  source = '192.0.2.7',
) {
  const given = { message: base64(message), source, transport: 'tcp' };
  // A busy machine answers 503.
  const { body } = await waitFor(async () => {
    const answer = await post('/internal/v1/transfers', given);
    return answer.status === 200 && answer;
  }, 60_000);
  const octets = Buffer.from(String(body['message']), 'base64');
  const answer = readMessage(octets);
  const name = Object.entries(RCODE).find(([, rcode]) => rcode === rcodeOf(answer))?.[0];
  const fault = new TsigAnswerChecker(key, mac).check(octets, answer.tsig, now());
  const about = [name, readExtendedError(answer.additionals)].filter(Boolean).join(' ');
  return { about, fault, hasOpt: answer.additionals.length > 0, tenantId: body['tenantId'] };
}

const PERMITTED = { about: 'NOERROR', fault: undefined };
const PROHIBITED = {
  about: 'REFUSED 18 This access key may not read the whole zone.',
  fault: undefined,
};

describe('D-NS-38: who may transfer a zone by access key', () => {
  it.each(['AXFR', 'IXFR'] as const)('a key of its project, by %s', async (type) => {
    const answer = await ask(await makeKey(), query(ZONE, {}, type));
    expect(answer).toMatchObject({ ...PERMITTED, tenantId: platform.world.tenant.id });
  });

  it.each([
    ['all records of the zone', [{}], true],
    ['all records of every zone', [{ zone: '*', actions: ['read', 'update'] }], true],
    ['all records, and to update some', [{}, { name: 'www', actions: ['update'] }], true],
    ['the zone by its own action', [{ actions: ['transfer'] }], true],
    ['names below the apex only', [{ name: '*' }], false],
    ['two types', [{ types: ['A', 'TXT'] }], false],
    ['another zone', [{ zone: 'other.example.' }], false],
    ['one name here and all of another zone', [{ name: 'www' }, { zone: 'other.example.' }], false],
  ])('a restricted key that may read %s', async (_what, rules, isPermitted) => {
    const answer = await ask(await makeRestrictedKey(...rules));
    expect(answer).toMatchObject(isPermitted ? PERMITTED : PROHIBITED);
  });

  it('no restricted key that may only update', async () => {
    expect(await ask(await makeRestrictedKey({ actions: ['update'] }))).toMatchObject(PROHIBITED);
  });

  it('a key that is bound to networks only from these', async () => {
    const key = await makeKeyWith({ networks: ['192.0.2.0/24'] });
    expect(await ask(key)).toMatchObject(PERMITTED);
    const answer = await ask(key, query(), '198.51.100.1');
    expect(answer.about).toMatch(/^REFUSED 18 .*/);
  });

  it('no key of a user without a role in the project, and none while the project is disabled', async () => {
    const { db, world } = platform;
    const stranger = await insertUser(db, { accountDomainId: world.accountDomainId });
    expect(await ask(await makeKey({}, stranger.id))).toMatchObject(PROHIBITED);
    const key = await makeKey();
    const enable = (isEnabled: boolean) =>
      db.raw('update identity.tenants set enabled = ? where id = ?', [isEnabled, world.tenant.id]);
    await enable(false);
    expect(await ask(key)).toMatchObject(PROHIBITED);
    await enable(true);
    expect(await ask(key)).toMatchObject(PERMITTED);
  });

  it('nobody for a zone that is not here: NOTAUTH (RFC 5936 s2.2.1)', async () => {
    const { about, fault } = await ask(await makeKey(), query('elsewhere.example.'));
    expect([about, fault]).toEqual(['NOTAUTH 20 This zone is not served here.', undefined]);
  });
});

describe('Wrong signatures of requests for transfers (RFC 8945 s5.2)', () => {
  it.each([
    ['an unknown key', { name: 'nobody.' }, 0, 'NOTAUTH 18 No active access key'],
    ['another secret', { secret: Buffer.alloc(30) }, 0, 'NOTAUTH 18 The secret'],
    ['an old time', {}, -999, 'NOTAUTH 18 The clock of the client is wrong.'],
  ])('%s', async (_what, members, seconds, about) => {
    const key = { ...(await makeKey()), ...members };
    const answer = await askSigned(key, signRequest(query(), key, now() + seconds));
    expect(answer.about).toContain(about);
  });

  it('an expired key is unknown', async () => {
    const key = await makeKey({ validTo: new Date(Date.now() - 1_000) });
    expect((await ask(key)).about).toContain('NOTAUTH 18 No active access key');
  });

  it('RFC 6891 s7: a client without EDNS gets no OPT record', async () => {
    const key = await makeRestrictedKey({ name: 'www' });
    const answer = await ask(key, query(ZONE, { additionals: [] }));
    expect([answer.about, answer.hasOpt]).toEqual(['REFUSED', false]);
  });
});

describe('D-NS-39: how often zones are transferred by access key', () => {
  it('ten times a minute by one key', async () => {
    const key = await makeKey();
    const abouts: string[] = [];
    for (let at = 0; at < 10; at += 1) abouts.push((await ask(key)).about);
    expect(new Set(abouts)).toEqual(new Set(['NOERROR']));
    // Six seconds give one back.
    const eleventh = await waitFor(async () => {
      const { about } = await ask(key);
      return about !== 'NOERROR' && about;
    });
    expect(eleventh).toContain('REFUSED 0 An access key may transfer 10 times a minute');
    expect(await ask(await makeKey())).toMatchObject(PERMITTED);
  });

  it('once by each message', async () => {
    const key = await makeKey();
    const signed = signRequest(query(), key, now());
    expect(await askSigned(key, signed)).toMatchObject(PERMITTED);
    expect((await askSigned(key, signed, '198.51.100.9')).about).toBe(
      'REFUSED 0 This message was used before; sign another one.',
    );
    expect(await ask(key)).toMatchObject(PERMITTED);
  });
});

describe('Signing the messages of a transfer', () => {
  const sign = async (message: Uint8Array, answers: readonly Uint8Array[], token = nameserver) =>
    await post(
      '/internal/v1/signed-transfers',
      { message: base64(message), answers: answers.map(base64) },
      token,
    );

  it('signs each after the one before, as the answer to the request', async () => {
    const key = await makeKey();
    const { message, mac } = signRequest(query(), key, now());
    const answers = [1, 2, 3].map(() => writeMessage({ id: ids, flags: 0x8400 }));
    const { status, body } = await sign(message, answers);
    expect(status).toBe(200);
    const checker = new TsigAnswerChecker(key, mac);
    const faults = (body['records'] as string[]).map((record, at) => {
      const octets = appendTsig(answers[at]!, Buffer.from(record, 'base64'));
      return checker.check(octets, readMessage(octets).tsig, now());
    });
    expect(faults).toEqual([undefined, undefined, undefined]);
  });

  it('signs nothing else: no other query, no answer to an update or another message', async () => {
    const key = await makeKey();
    const signed = (message: Uint8Array) => signRequest(message, key, now()).message;
    const answer = () => writeMessage({ id: ids, flags: 0x8400 });
    const soa = { name: nameToWire(ZONE), type: RR_TYPE.SOA, class: RR_CLASS.IN };
    const questions = [soa];
    expect((await sign(signed(query(ZONE, { questions })), [answer()])).status).toBe(403);
    expect((await sign(signed(query(ZONE, { flags: 0x2800 })), [answer()])).status).toBe(403);
    expect((await sign(query(), [answer()])).status).toBe(403);
    const request = signed(query());
    for (const answers of [
      [],
      [writeMessage({ id: ids, flags: 0xac00 })],
      [writeMessage({ id: ids, flags: 0 })],
      [writeMessage({ id: ids + 1, flags: 0x8400 })],
      [new Uint8Array(4)],
    ])
      expect((await sign(request, answers)).status).toBe(400);
    expect((await post('/internal/v1/signed-transfers', { message: 'AAAA' })).status).toBe(400);
    expect((await sign(request, [answer()], tenant)).status).toBe(403);
    const wrong = signRequest(query(), { ...key, secret: Buffer.alloc(30) }, now()).message;
    expect((await sign(wrong, [answer()])).status).toBe(503);
  });

  it('only a request for a transfer is permitted, and only for nameservers', async () => {
    const key = await makeKey();
    const questions = [{ name: nameToWire(ZONE), type: RR_TYPE.SOA, class: RR_CLASS.IN }];
    const { message } = signRequest(query(ZONE, { questions }), key, now());
    const given = { message: base64(message), source: '192.0.2.7', transport: 'tcp' };
    expect((await post('/internal/v1/transfers', given)).status).toBe(403);
    expect((await post('/internal/v1/transfers', given, tenant)).status).toBe(403);
    const unsigned = { ...given, message: base64(query()) };
    const { body } = await post('/internal/v1/transfers', unsigned);
    const answer = readMessage(Buffer.from(String(body['message']), 'base64'));
    expect(rcodeOf(answer)).toBe(RCODE.REFUSED);
  });
});
