import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  type Message,
  type MessageRecord,
  nameToWire,
  RCODE,
  rcodeOf,
  type ReadMessage,
  readMessage,
  RR_CLASS,
  RR_TYPE,
  rdataToWire,
  signRequest,
  type SignedMessage,
  TsigAnswerChecker,
  type TsigKey,
  writeMessage,
} from '@zonewright/dns-records';
import { assignRole, insertAccessKey, insertRole, insertUser, waitFor } from '@zonewright/testkit';
import { keyring, usePlatform } from './support/use-platform.js';

const platform = usePlatform();
const ZONE = 'update.example.';

let nameserver = '';
let tenant = '';
let key: TsigKey;
let domainId = '';
let ids = 0;

beforeAll(async () => {
  const { db, world } = platform;
  const { accountDomainId, user } = world;
  const machine = await insertUser(db, { accountDomainId });
  await assignRole(db, {
    userId: machine.id,
    roleId: await insertRole(db, { name: 'nameserver' }),
  });
  nameserver = await platform.login(machine);
  tenant = await platform.login(user, world.tenant.id);
  key = await makeKey(user.id);
  const created = await api('POST', '/v1/domains', { name: ZONE, email: 'a@update.example' });
  domainId = (created.body as { id: string }).id;
});

async function makeKey(userId: string): Promise<TsigKey> {
  const { accountDomainId } = platform.world;
  const secret = randomBytes(30);
  const secretKey = secret.toString('base64');
  const values = { userId, accountDomainId, secretKey };
  const { accessKey } = await insertAccessKey(platform.db, keyring, values);
  return { name: `${accessKey}.`, algorithm: 'hmac-sha256', secret };
}

async function makeRestrictedKey(restrictions: object): Promise<TsigKey> {
  const body = { accessKey: { otherAttributes: { restrictions } } };
  const response = await fetch(`${platform.identityUrl}/v2.0/EXT-IDM/v1.0/accesskeys`, {
    method: 'POST',
    headers: { 'x-auth-token': tenant, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const { accessKey } = (await response.json()) as {
    accessKey: { accessKeyId: string; secretKey: string };
  };
  const secret = Buffer.from(accessKey.secretKey, 'base64');
  return { name: `${accessKey.accessKeyId}.`, algorithm: 'hmac-sha256', secret };
}

async function api(method: string, path: string, body?: object, token = tenant) {
  const response = await fetch(`${platform.dnsUrl}${path}`, {
    method,
    headers: { 'x-auth-token': token, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: (text === '' ? {} : JSON.parse(text)) as unknown };
}

const now = () => Date.now() / 1000;

function record(name: string, type: keyof typeof RR_TYPE, members: object = {}): MessageRecord {
  return {
    name: nameToWire(name),
    type: RR_TYPE[type],
    class: RR_CLASS.IN,
    ttl: 0,
    rdata: new Uint8Array(),
    ...members,
  };
}

const a = (name: string, address: string, ttl = 300) =>
  record(name, 'A', { ttl, rdata: rdataToWire('A', address, null) });
const any = { class: RR_CLASS.ANY };
const none = { class: RR_CLASS.NONE };

function update(parts: Partial<Message>): Uint8Array {
  ids += 1;
  const questions = [record(ZONE, 'SOA')];
  return writeMessage({ id: ids, flags: 0x2800, questions, ...parts });
}

interface Answer {
  readonly message: ReadMessage;
  readonly octets: Uint8Array;
  readonly published: { readonly zone: string; readonly serial: number } | null;
}

/** Repeats a call that a busy machine answers with 503; a repeated message is performed only once. */
async function untilServed(path: string, body: object) {
  let answer = await api('POST', path, body, nameserver);
  await waitFor(async () => {
    if (answer.status === 503) answer = await api('POST', path, body, nameserver);
    return answer.status !== 503;
  }, 50_000);
  return answer;
}

async function relay(message: Uint8Array, members: object = {}): Promise<Answer> {
  const given = { message: Buffer.from(message).toString('base64'), source: '192.0.2.7' };
  const body = { ...given, transport: 'tcp', ...members };
  const path = message.length > 2_048 ? 'long-updates' : 'updates';
  const answer = await untilServed(`/internal/v1/${path}`, body);
  expect(answer).toMatchObject({ status: 200 });
  const { message: text, published } = answer.body as { message: string } & Answer;
  const octets = Buffer.from(text, 'base64');
  return { message: readMessage(octets), octets, published };
}

/** Sends an update that is signed with the key; the answer must be signed, too. */
async function send(parts: Partial<Message>, by = key): Promise<keyof typeof RCODE | undefined> {
  return await sendSigned(signRequest(update(parts), by, now()), by);
}

async function sendSigned({ message, mac }: SignedMessage, by = key) {
  const answer = await relay(message);
  const checker = new TsigAnswerChecker(by, mac);
  expect(checker.check(answer.octets, answer.message.tsig, now())).toBeUndefined();
  return nameOf(answer);
}

function nameOf({ message }: Answer): keyof typeof RCODE | undefined {
  return (Object.keys(RCODE) as (keyof typeof RCODE)[]).find(
    (name) => RCODE[name] === rcodeOf(message),
  );
}

interface ShownRecord {
  readonly name: string;
  readonly type: string;
  readonly data: string;
  readonly ttl?: number | null;
}

async function records(name: string): Promise<string[]> {
  const { body } = await api('GET', `/v1/domains/${domainId}/records?all_types=true`);
  return (body as { records: ShownRecord[] }).records
    .filter((each) => each.name === name)
    .map(({ type, data, ttl }) => `${type} ${data} ${String(ttl)}`)
    .sort();
}

async function serial(): Promise<number> {
  const { body } = await api('GET', `/v1/domains/${domainId}`);
  return (body as { serial: number }).serial;
}

describe('RFC 2136 s3.4.2: updates', () => {
  it('RFC 6672 s5.2: replaces a DNAME, ignores it beside a CNAME, and refuses names below', async () => {
    const name = `old.${ZONE}`;
    const one = (type: 'DNAME' | 'CNAME', data: string) =>
      record(name, type, { ttl: 300, rdata: rdataToWire(type, data, null) });
    await send({ authorities: [one('DNAME', 'a.example.')] });
    expect(await send({ authorities: [one('DNAME', 'b.example.')] })).toBe('NOERROR');
    expect(await records(name)).toEqual(['DNAME b.example. 300']);
    expect(await send({ authorities: [one('CNAME', 'a.example.')] })).toBe('NOERROR');
    expect(await records(name)).toEqual(['DNAME b.example. 300']);
    expect(await send({ authorities: [a(`www.${name}`, '192.0.2.1')] })).toBe('REFUSED');
    const gone = record(name, 'ANY', any);
    expect(await send({ authorities: [gone, a(`www.${name}`, '192.0.2.1')] })).toBe('NOERROR');
    expect(await send({ authorities: [one('DNAME', 'a.example.')] })).toBe('REFUSED');
    expect(
      await send({ authorities: [record(`www.${name}`, 'ANY', any), one('CNAME', 'a.')] }),
    ).toBe('NOERROR');
    expect(await send({ authorities: [one('DNAME', 'a.example.')] })).toBe('NOERROR');
    expect(await records(name)).toEqual(['CNAME a. 300']);
  });

  it('adds records, gives all of an RRset the last TTL, and deletes by record, RRset and name', async () => {
    const name = `w1.${ZONE}`;
    expect(await send({ authorities: [a(name, '192.0.2.1'), a(name, '192.0.2.2', 60)] })).toBe(
      'NOERROR',
    );
    expect(await records(name)).toEqual(['A 192.0.2.1 60', 'A 192.0.2.2 60']);
    const one = { ...a(name, '192.0.2.1', 0), ...none };
    expect(await send({ authorities: [one] })).toBe('NOERROR');
    expect(await records(name)).toEqual(['A 192.0.2.2 60']);
    const text = record(name, 'TXT', { ttl: 5, rdata: Uint8Array.of(1, 97) });
    expect(await send({ authorities: [text, record(name, 'A', any)] })).toBe('NOERROR');
    expect(await records(name)).toEqual(['TXT "a" 5']);
    expect(await send({ authorities: [record(name, 'ANY', any)] })).toBe('NOERROR');
    expect(await records(name)).toEqual([]);
  });

  it('s3.7: increases the serial once, and not for changes without effect', async () => {
    const name = `w2.${ZONE}`;
    const authorities = [a(name, '192.0.2.1'), a(name, '192.0.2.2')];
    const before = await serial();
    const { published } = await relay(signRequest(update({ authorities }), key, now()).message);
    expect(published).toEqual({ zone: ZONE, serial: await serial() });
    expect(await serial()).toBeGreaterThan(before);
    const after = await serial();
    expect(await send({ authorities })).toBe('NOERROR');
    expect(await send({ authorities: [record(`none.${ZONE}`, 'ANY', any)] })).toBe('NOERROR');
    expect(await serial()).toBe(after);
  });

  it('s3.4.2.2: ignores an alias beside other records and the reverse; replaces an alias', async () => {
    const name = `w3.${ZONE}`;
    const alias = (target: string) => record(name, 'CNAME', { ttl: 60, rdata: nameToWire(target) });
    await send({ authorities: [alias('a.example.')] });
    expect(await send({ authorities: [a(name, '192.0.2.1')] })).toBe('NOERROR');
    expect(await send({ authorities: [alias('b.example.')] })).toBe('NOERROR');
    expect(await records(name)).toEqual(['CNAME b.example. 60']);
  });

  it('D-REC-37: the address of a mail server may be at any name of a domain of its tenant', async () => {
    const other = 'mail.example.';
    const { id } = (await api('POST', '/v1/domains', { name: other, email: 'a@mail.example' }))
      .body as { id: string };
    const address = { name: `mx.${other}`, type: 'A', data: '192.0.2.1' };
    await api('POST', `/v1/domains/${id}/records`, address);
    await send({ authorities: [a(`mx.${ZONE}`, '192.0.2.1')] });
    const mail = (target: string) =>
      record(`w9.${ZONE}`, 'MX', { ttl: 60, rdata: rdataToWire('MX', target, 10) });
    for (const domain of [ZONE, other]) {
      expect(await send({ authorities: [mail(`none.${domain}`)] })).toBe('REFUSED');
      expect(await send({ authorities: [mail(`mx.${domain}`)] })).toBe('NOERROR');
    }
  });

  it('the SOA and NS of the service stay unchanged', async () => {
    const before = await serial();
    for (const type of ['SOA', 'NS', 'ANY'] as const)
      expect(await send({ authorities: [record(ZONE, type, any)] })).toBe('NOERROR');
    expect(await serial()).toBe(before);
  });

  it.each([
    ['an invalid CAA record', record(`w4.${ZONE}`, 'CAA', { rdata: Uint8Array.of(1) }), 'FORMERR'],
    ['a type of DNSSEC', record(`w4.${ZONE}`, 'DNSKEY', { rdata: Uint8Array.of(1) }), 'REFUSED'],
    [
      'a name that is not a service',
      record(`w4.${ZONE}`, 'SRV', { rdata: Uint8Array.of(0, 0, 0, 0, 0, 0, 0) }),
      'REFUSED',
    ],
    ['a name elsewhere', a('w4.example.', '192.0.2.1'), 'NOTZONE'],
    ['a type of questions', record(`w4.${ZONE}`, 'AXFR'), 'FORMERR'],
  ])('s3.4.1: with %s no part of it is applied', async (_what, bad, rcode) => {
    const before = await serial();
    expect(await send({ authorities: [a(`w4.${ZONE}`, '192.0.2.1'), bad] })).toBe(rcode);
    expect(await serial()).toBe(before);
  });
});

describe('RFC 2136 s3.2: prerequisites', () => {
  beforeAll(async () => {
    const name = `p.${ZONE}`;
    await send({ authorities: [a(name, '192.0.2.1'), a(name, '192.0.2.2')] });
  });

  it.each([
    ['name in use', [record(`p.${ZONE}`, 'ANY', any)], 'NOERROR'],
    ['name in use', [record(`q.${ZONE}`, 'ANY', any)], 'NXDOMAIN'],
    ['name not in use', [record(`q.${ZONE}`, 'ANY', none)], 'NOERROR'],
    ['name not in use', [record(ZONE, 'ANY', none)], 'YXDOMAIN'],
    ['RRset exists', [record(`p.${ZONE}`, 'A', any)], 'NOERROR'],
    ['RRset exists', [record(ZONE, 'SOA', any)], 'NOERROR'],
    ['RRset exists', [record(`p.${ZONE}`, 'TXT', any)], 'NXRRSET'],
    ['RRset does not exist', [record(`p.${ZONE}`, 'TXT', none)], 'NOERROR'],
    ['RRset does not exist', [record(`p.${ZONE}`, 'A', none)], 'YXRRSET'],
    ['RRset as it is', [a(`p.${ZONE}`, '192.0.2.2', 0), a(`P.${ZONE}`, '192.0.2.1', 0)], 'NOERROR'],
    ['RRset as it is', [a(`p.${ZONE}`, '192.0.2.2', 0)], 'NXRRSET'],
    ['TTL', [record(`p.${ZONE}`, 'A', { ...any, ttl: 1 })], 'FORMERR'],
    ['name elsewhere', [record(`p.example.`, 'A', any)], 'NOTZONE'],
  ] as const)('%s', async (_what, answers, rcode) => {
    expect(await send({ answers })).toBe(rcode);
  });

  it('s3.4.1: are checked before the update', async () => {
    const answers = [record(`q.${ZONE}`, 'ANY', any)];
    expect(await send({ answers, authorities: [record(`p.${ZONE}`, 'AXFR')] })).toBe('NXDOMAIN');
  });
});

describe('who may update', () => {
  const authorities = [a(`k.${ZONE}`, '192.0.2.1')];

  it('RFC 8945 s5.2: refuses messages without a valid TSIG', async () => {
    const unsigned = await relay(update({ authorities }));
    expect([nameOf(unsigned), unsigned.message.tsig]).toEqual(['REFUSED', undefined]);
    const wrong = { ...key, secret: Buffer.alloc(30) };
    const badSig = await relay(signRequest(update({ authorities }), wrong, now()).message);
    expect([nameOf(badSig), badSig.message.tsig?.error]).toEqual(['NOTAUTH', 16]);
    const nobody = { ...key, name: 'nobody.' };
    const badKey = await relay(signRequest(update({ authorities }), nobody, now()).message);
    expect([nameOf(badKey), badKey.message.tsig?.error]).toEqual(['NOTAUTH', 17]);
    const late = await relay(signRequest(update({ authorities }), key, now() - 999).message);
    expect([nameOf(late), late.message.tsig?.error]).toEqual(['NOTAUTH', 18]);
    expect(await records(`k.${ZONE}`)).toEqual([]);
  });

  it('RFC 2136 s3.1: an unknown zone gets NOTAUTH, and no zone or two zones get FORMERR', async () => {
    expect(await send({ questions: [record('elsewhere.example.', 'SOA')] })).toBe('NOTAUTH');
    const twice = { questions: [record(ZONE, 'SOA'), record(ZONE, 'SOA')] };
    expect(await send(twice)).toBe('FORMERR');
    expect(await send({ questions: [record(ZONE, 'A')] })).toBe('FORMERR');
  });

  it('a user without a role in the tenant of the zone is REFUSED', async () => {
    const { accountDomainId } = platform.world;
    const stranger = await insertUser(platform.db, { accountDomainId });
    const own = await makeKey(stranger.id);
    expect(await send({ authorities }, own)).toBe('REFUSED');
  });

  it('a restricted key can do what its rules allow, from its networks, and with networks only over TCP', async () => {
    const rules = [
      { zone: ZONE, name: '_acme-challenge.**', types: ['TXT'], actions: ['read', 'update'] },
    ];
    const own = await makeRestrictedKey({ rules, networks: ['192.0.2.0/24'] });
    const text = record(`_acme-challenge.${ZONE}`, 'TXT', { ttl: 5, rdata: Uint8Array.of(1, 97) });
    expect(await send({ authorities: [text] }, own)).toBe('NOERROR');
    expect(await send({ authorities: [text, ...authorities] }, own)).toBe('REFUSED');
    const gone = record(`_acme-challenge.${ZONE}`, 'ANY', any);
    expect(await send({ authorities: [gone] }, own)).toBe('NOERROR');
    for (const members of [{ transport: 'udp' }, { source: '198.51.100.1' }]) {
      const signed = signRequest(update({ authorities: [text] }), own, now());
      expect(nameOf(await relay(signed.message, members))).toBe('REFUSED');
    }
    expect(await records(`_acme-challenge.${ZONE}`)).toEqual([]);
  });

  it('octets that are not a message get FORMERR', async () => {
    expect(nameOf(await relay(update({ authorities }).slice(0, 40)))).toBe('FORMERR');
  });

  it('only nameservers may call the operation, and they may call no other', async () => {
    const body = { message: '', source: '192.0.2.1', transport: 'udp' };
    expect((await api('POST', '/internal/v1/updates', body)).status).toBe(403);
    expect((await api('GET', '/v1/domains', undefined, nameserver)).status).toBe(403);
    expect(
      (await api('POST', '/internal/v1/updates', { ...body, source: 'x' }, nameserver)).status,
    ).toBe(400);
  });
});

describe('answers to signed queries', () => {
  const questions = () => [record(ZONE, 'SOA')];
  const base64 = (octets: Uint8Array) => Buffer.from(octets).toString('base64');

  async function sign(message: Uint8Array, answer: Uint8Array) {
    const body = { message: base64(message), answer: base64(answer), source: '192.0.2.7' };
    return await api(
      'POST',
      '/internal/v1/signed-queries',
      { ...body, transport: 'udp' },
      nameserver,
    );
  }

  it('are signed unchanged, for each valid key', async () => {
    const query = signRequest(
      writeMessage({ id: 9, flags: 0, questions: questions() }),
      key,
      now(),
    );
    const answer = writeMessage({ id: 9, flags: 0x8400, questions: questions() });
    const { status, body } = await sign(query.message, answer);
    expect(status).toBe(200);
    const octets = Buffer.from((body as { message: string }).message, 'base64');
    const { tsig } = readMessage(octets);
    expect(new TsigAnswerChecker(key, query.mac).check(octets, tsig, now())).toBeUndefined();
    expect(octets.subarray(12, answer.length)).toEqual(Buffer.from(answer).subarray(12));
  });

  it('neither answers to updates nor answers to other queries are signed', async () => {
    const signed = signRequest(update({}), key, now());
    const done = writeMessage({ id: ids, flags: 0xa800, questions: questions() });
    expect((await sign(signed.message, done)).status).toBe(400);
    const query = signRequest(
      writeMessage({ id: 9, flags: 0, questions: questions() }),
      key,
      now(),
    );
    for (const header of [
      { id: 8, flags: 0x8400 },
      { id: 9, flags: 0 },
      { id: 9, flags: 0xa800 },
    ]) {
      const answer = writeMessage({ ...header, questions: questions() });
      expect((await sign(query.message, answer)).status).toBe(400);
    }
  });
});

describe('many at a time', () => {
  const together = async (messages: readonly Uint8Array[], members: object = {}) => {
    const given = messages.map((message) => ({
      message: Buffer.from(message).toString('base64'),
      source: '192.0.2.7',
      transport: 'tcp',
      ...members,
    }));
    return await api('POST', '/internal/v1/updates', { messages: given }, nameserver);
  };

  async function sendTogether(all: readonly SignedMessage[]) {
    const { status, body } = await together(all.map(({ message }) => message));
    expect(status).toBe(200);
    type Answered = { message: string; published: Answer['published'] };
    return (body as { answers: Answered[] }).answers.map(({ message, published }) => {
      const octets = Buffer.from(message, 'base64');
      return { message: readMessage(octets), octets, published };
    });
  }

  const signed = (parts: Partial<Message>, by = key) => signRequest(update(parts), by, now());

  it('each has its own serial and step in the history, which later ones see', async () => {
    const name = `m1.${ZONE}`;
    const all = [
      signed({ authorities: [a(name, '192.0.2.1')] }),
      signed({ answers: [record(name, 'A', any)], authorities: [a(name, '192.0.2.2')] }),
      signed({ answers: [record(name, 'ANY', none)], authorities: [a(name, '192.0.2.9')] }),
      signed({ authorities: [{ ...a(name, '192.0.2.1', 0), ...none }] }),
      signed({ authorities: [record(`m1.${ZONE}`, 'DNSKEY', { rdata: Uint8Array.of(1) })] }),
      signed({ authorities: [a(name, '192.0.2.3', 60)] }),
    ];
    const before = await serial();
    const answers = await sendTogether(all);
    expect(answers.map(nameOf)).toEqual([
      ...['NOERROR', 'NOERROR', 'YXDOMAIN', 'NOERROR', 'REFUSED', 'NOERROR'],
    ]);
    for (const [at, { octets, message }] of answers.entries()) {
      const checker = new TsigAnswerChecker(key, all[at]!.mac);
      expect(checker.check(octets, message.tsig, now())).toBeUndefined();
    }
    expect(await records(name)).toEqual(['A 192.0.2.2 60', 'A 192.0.2.3 60']);
    const serials = [0, 1, 3, 5].map((at) => answers[at]?.published?.serial ?? 0);
    expect([before, ...serials]).toEqual([...new Set([before, ...serials])].sort());
    expect(serials.at(-1)).toBe(await serial());
    const { body } = await api('GET', `/v1/domains/${domainId}/changes?limit=5&extended=true`);
    const { changes } = body as { changes: { serial_after: number; serial_before: number }[] };
    expect(changes.map(({ serial_after: after }) => after)).toEqual([
      ...[serials[3], serials[3], serials[2], serials[1], serials[0]],
    ]);
    expect(await sendTogether(all.slice(0, 1))).toMatchObject([
      { published: { serial: serials[0] } },
    ]);
    expect(await serial()).toBe(serials[3]);
    await api('POST', `/v1/domains/${domainId}/restore`, { serial: serials[1] });
    expect(await records(name)).toEqual(['A 192.0.2.1 300', 'A 192.0.2.2 300']);
  });

  it('a change that needs a separate transaction gets one, and a repeated message takes effect once', async () => {
    const name = `m2.${ZONE}`;
    const mail = record(name, 'MX', { ttl: 300, rdata: rdataToWire('MX', name, 10) });
    const text = record(name, 'TXT', {
      ttl: 300,
      rdata: rdataToWire('TXT', `"${'x'.repeat(250)}" "${'y'.repeat(250)}"`, null),
    });
    const one = signed({ authorities: [a(name, '192.0.2.1')] });
    const others = [mail, text].map((each) => signed({ authorities: [each] }));
    const answers = await sendTogether([one, ...others, one]);
    expect(answers.map(nameOf)).toEqual(['NOERROR', 'NOERROR', 'NOERROR', 'NOERROR']);
    expect(answers[3]?.published).toEqual(answers[0]?.published);
    expect((await records(name)).map((each) => each.split(' ')[0])).toEqual(['A', 'MX', 'TXT']);
  });

  it('keys without rights or with wrong signatures do not affect the others', async () => {
    const own = await makeRestrictedKey({
      rules: [{ zone: ZONE, name: 'm3', types: ['TXT'], actions: ['update'] }],
    });
    const wrong = { ...key, secret: Buffer.alloc(30) };
    const authorities = [a(`m3.${ZONE}`, '192.0.2.1')];
    const answers = await sendTogether([
      signed({ authorities }, own),
      signed({ authorities }, wrong),
      { message: update({ authorities }), mac: new Uint8Array() },
      signed({ questions: [record('elsewhere.example.', 'SOA')] }),
      signed({ authorities }),
    ]);
    expect(answers.map(nameOf)).toEqual(['REFUSED', 'NOTAUTH', 'REFUSED', 'NOTAUTH', 'NOERROR']);
    expect(await records(`m3.${ZONE}`)).toEqual(['A 192.0.2.1 300']);
    expect((await together(Array.from({ length: 65 }, () => update({})))).status).toBe(400);
    expect((await together([update({})], { source: 'x' })).status).toBe(400);
  });
});

describe('long messages', () => {
  const texts = (count: number, length: number) =>
    Array.from({ length: count }, (_, at) =>
      record(`l${at}.${ZONE}`, 'TXT', {
        ttl: 60,
        rdata: rdataToWire('TXT', `"${'x'.repeat(length)}"`, null),
      }),
    );

  it('1,000 updates in a message of almost 65,535 octets are applied; 1,001 are REFUSED', async () => {
    const { world, db } = platform;
    const quota = { tenant_id: world.tenant.id, max_domain_records: 5_000 };
    await db('dns.quotas').insert(quota).onConflict('tenant_id').merge();
    const authorities = texts(1_000, 39);
    expect(update({ authorities }).length).toBeGreaterThan(64_000);
    expect(await send({ authorities })).toBe('NOERROR');
    expect(await records(`l999.${ZONE}`)).toEqual([`TXT "${'x'.repeat(39)}" 60`]);
    expect(await send({ authorities: texts(1_001, 5) })).toBe('REFUSED');
    const gone = authorities.map(({ name }) => ({
      ...record(ZONE, 'ANY', any),
      name,
    }));
    expect(await send({ authorities: gone })).toBe('NOERROR');
  });

  it('several messages of medium length that arrive together are applied', async () => {
    const all = Array.from({ length: 12 }, (_, at) =>
      signRequest(
        update({ authorities: texts(10, 100).map((each) => ({ ...each, ttl: 61 + at })) }),
        key,
        now(),
      ),
    );
    const messages = all.map(({ message }) => ({
      message: Buffer.from(message).toString('base64'),
      source: '192.0.2.7',
      transport: 'tcp',
    }));
    const { body } = await untilServed('/internal/v1/updates', { messages });
    const { answers } = body as { answers: { message: string | null }[] };
    const rcodes = answers.map(({ message }) =>
      message === null ? null : rcodeOf(readMessage(Buffer.from(message, 'base64'))),
    );
    expect(rcodes).toEqual(all.map(() => RCODE.NOERROR));
  });
});

describe('repetition and history', () => {
  it.each([16, 24, 31])(
    'RFC 8945 s5.2.2.1: a captured message is not applied again if its MAC is cut to %i octets',
    async (most) => {
      const name = `cut${most}.${ZONE}`;
      const signed = signRequest(update({ authorities: [a(name, '192.0.2.1')] }), key, now());
      expect(await sendSigned(signed)).toBe('NOERROR');
      await send({ authorities: [record(name, 'ANY', any)] });
      const before = await serial();
      const { message, mac } = signed;
      // Six octets follow the MAC: the original id, the error and the length of other data.
      const end = message.length - 6;
      const cut = Buffer.concat([
        message.subarray(0, end - mac.length + most),
        message.subarray(end),
      ]);
      cut.writeUInt16BE(most, end - mac.length - 2);
      const rdataLengthAt = readMessage(message).tsig!.start + key.name.length + 1 + 8;
      cut.writeUInt16BE(cut.readUInt16BE(rdataLengthAt) - (mac.length - most), rdataLengthAt);
      expect(await sendSigned({ message: cut, mac: mac.slice(0, most) })).toBe('NOERROR');
      expect(await records(name)).toEqual([]);
      expect(await serial()).toBe(before);
    },
  );

  it('a repeated message is applied once, and gets the same answer again', async () => {
    const name = `r.${ZONE}`;
    const answers = [record(name, 'ANY', none)];
    const signed = signRequest(
      update({ answers, authorities: [a(name, '192.0.2.1')] }),
      key,
      now(),
    );
    const all = await Promise.all([1, 2, 3].map(() => sendSigned(signed)));
    expect(all).toEqual(['NOERROR', 'NOERROR', 'NOERROR']);
    const after = await serial();
    await send({ authorities: [record(name, 'ANY', any)] });
    expect(await sendSigned(signed)).toBe('NOERROR');
    expect(await records(name)).toEqual([]);
    expect(await serial()).toBeGreaterThan(after);
  });

  it('shows the key and the source on request, and can be undone', async () => {
    const before = await serial();
    await send({ authorities: [a(`h.${ZONE}`, '192.0.2.1')] });
    const path = `/v1/domains/${domainId}/changes?limit=1`;
    const { body } = await api('GET', `${path}&extended=true`);
    expect(body).toMatchObject({
      changes: [
        {
          access_key_id: key.name.slice(0, -1),
          source: 'dynamic-update',
          note: 'from 192.0.2.7',
          user_id: platform.world.user.id,
        },
      ],
    });
    expect((await api('GET', path)).body).not.toHaveProperty('changes.0.source');
    await api('POST', `/v1/domains/${domainId}/restore`, { serial: before });
    expect(await records(`h.${ZONE}`)).toEqual([]);
  });
});
