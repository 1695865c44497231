import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { generateKeyringText, parseKeyring, secretIdentity } from '@zonewright/database';
import {
  type MessageRecord,
  nameToWire,
  RCODE,
  rcodeOf,
  readMessage,
  RR_CLASS,
  RR_TYPE,
  signRequest,
  TsigAnswerChecker,
  type TsigKey,
  wireToName,
  writeMessage,
} from '@zonewright/dns-records';
import { waitFor } from '@zonewright/testkit';
import { claimDue } from '@zonewright/zones';
import type { Socket } from 'node:net';
import { CALLERS, fakeTokens } from './support/fake-tokens.js';
import { createDomain, createRecord, type DomainBody, freshName } from './support/fixtures.js';
import { report } from './support/nameserver-reports.js';
import { answerTo, frame, record, ScriptedPrimary, soa } from './support/scripted-primary.js';
import { useApi } from './support/use-api.js';

const keyringText = generateKeyringText('k1');
const NAMESERVER = { userId: 'ns', tenantId: '', roles: ['nameserver'] };
const tokens: typeof fakeTokens = {
  ...fakeTokens,
  findKnown: (token) => (token === 'token-ns' ? NAMESERVER : CALLERS[token]),
  validate: (...[token, ...others]: Parameters<typeof fakeTokens.validate>) =>
    token === 'token-ns' ? Promise.resolve(NAMESERVER) : fakeTokens.validate(token, ...others),
};
const api = useApi({
  env: {
    TRANSFER_ENCRYPTION_KEYS: keyringText,
    DNS_API_PRIVATE_PRIMARIES: 'true',
    DNS_API_MAX_TRANSFER_BYTES: '65536',
    DNS_API_TRANSFER_TIMEOUT_SECONDS: '2',
    DNS_API_MAX_DOMAIN_RECORDS: '50',
    DNS_API_MAX_DOMAINS: '1000',
  },
  overrides: { tokens },
});
const bare = useApi();
const patient = useApi({
  env: { DNS_API_PRIVATE_PRIMARIES: 'true', DNS_API_MAX_DOMAINS: '100' },
});
const signing = useApi({
  env: { DNS_API_SIGN_NEW_DOMAINS: 'true', DNS_API_PRIVATE_PRIMARIES: 'true' },
  overrides: { signer: { sign: () => Promise.reject(new Error('a primary signs')) } },
});

const key: TsigKey = {
  name: 'transfer.key.',
  algorithm: 'hmac-sha256',
  secret: Buffer.from('a secret of thirty-two octets...'),
};
const keyBody = {
  name: key.name,
  algorithm: key.algorithm,
  secret: Buffer.from(key.secret).toString('base64'),
};
const primary = new ScriptedPrimary();
let place = { address: '', port: 0 };

beforeAll(async () => {
  place = await primary.start();
});
afterEach(() => {
  primary.questions.length = 0;
  primary.key = undefined;
});
afterAll(() => {
  primary.stop();
});

interface PrimariesBody {
  readonly state: string;
  readonly serial: number | null;
  readonly failures: number;
  readonly problem: string | null;
}

const pathOf = ({ id }: Pick<DomainBody, 'id'>) => `/v1/domains/${id}/primaries`;

async function stateOf(zone: DomainBody): Promise<PrimariesBody> {
  return (await api.call('get', pathOf(zone)).expect(200)).body as PrimariesBody;
}

/** Returns the records of a zone in the order in which its primary sends them: from SOA to SOA. */
function zoneOf(name: string, serial: number, others: readonly MessageRecord[]): MessageRecord[] {
  const ns = record(name, 'NS', 'ns.elsewhere.example.');
  return [soa(name, serial), ns, ...others, soa(name, serial)];
}

function say(name: string, serial: number, others: readonly MessageRecord[]): void {
  primary.script = (type) =>
    type === 'SOA' ? [[soa(name, serial)]] : [zoneOf(name, serial, others)];
}

async function follow(members: object = {}): Promise<DomainBody> {
  const zone = await createDomain(api);
  say(zone.name, 7, [record(`www.${zone.name}`, 'A', '192.0.2.1')]);
  await api.call('put', pathOf(zone), { primaries: [place], ...members }).expect(200);
  await taken(zone, 7);
  return zone;
}

/** A domain that already has a primary. */
let followed: DomainBody | undefined;

async function taken(zone: DomainBody, serial: number): Promise<void> {
  await waitFor(async () => (await stateOf(zone)).serial === serial);
}

/** Requests a refresh and returns its result. */
async function refresh(zone: DomainBody): Promise<PrimariesBody> {
  const { failures } = await stateOf(zone);
  await api.call('post', `${pathOf(zone)}/refresh`).expect(200);
  await waitFor(async () => (await stateOf(zone)).failures > failures);
  return await stateOf(zone);
}

async function recordsOf(zone: DomainBody): Promise<string[]> {
  const path = `/v1/domains/${zone.id}/records?all_types=true`;
  const listed = await api.call('get', path).expect(200);
  type Shown = { name: string; type: string; data: string; ttl: number };
  return (listed.body as { records: Shown[] }).records
    .map(({ name, type, data, ttl }) => `${name} ${ttl} ${type} ${data}`)
    .sort();
}

describe('primaries of a domain', () => {
  it('are refused while a live nameserver would answer with our SOA', async () => {
    const zone = await createDomain(api);
    // The nameserver does not report its features.
    await report(api.db, 1);
    const refused = await api.call('put', pathOf(zone), { primaries: [place] }).expect(409);
    expect(JSON.stringify(refused.body)).toContain('nameservers of an earlier version');
    await api.db.raw('delete from dns.nameserver_status');
    await api.call('put', pathOf(zone), { primaries: [place] }).expect(200);
  });

  it('turn a domain into a secondary one, with a key that is sealed and never shown', async () => {
    const zone = await createDomain(api);
    say(zone.name, 7, []);
    primary.key = key;
    const given = { primaries: [{ address: place.address, port: place.port }], key: keyBody };
    const made = await api.call('put', pathOf(zone), given).expect(200);
    const shown = { name: key.name, algorithm: key.algorithm };
    expect(made.body).toMatchObject({ primaries: [place], key: shown, state: 'withheld' });
    expect(JSON.stringify(made.body)).not.toContain(keyBody.secret);
    const { rows } = await api.db.raw<{ rows: { sealed: Buffer; keyId: string }[] }>(
      'select secret_sealed as sealed, secret_key_id as "keyId" from dns.secondaries where domain_id = ?',
      [zone.id],
    );
    const opened = parseKeyring(keyringText).open(rows[0]!, secretIdentity.primaryKey(zone.id));
    expect(opened).toEqual(key.secret);
    await taken(zone, 7);
    expect(await stateOf(zone)).toMatchObject({ state: 'answered', failures: 0, problem: null });
    // The response can be sent back unchanged, and keeps the secret.
    const read = await api.call('get', pathOf(zone));
    await api.call('put', pathOf(zone), read.body as object).expect(200);
    say(zone.name, 8, []);
    await api.call('post', `${pathOf(zone)}/refresh`).expect(200);
    await taken(zone, 8);
  });

  it.each([
    ['none', { primaries: [] }],
    ['seven', { primaries: Array(7).fill({ address: '192.0.2.1' }) }],
    ['a name', { primaries: [{ address: 'ns.example.com' }] }],
    ['no port', { primaries: [{ address: '192.0.2.1', port: 0 }] }],
    ['a zone of an interface', { primaries: [{ address: 'fe80::1%eth0' }] }],
    [
      'HMAC-MD5',
      { primaries: [{ address: '192.0.2.1' }], key: { ...keyBody, algorithm: 'hmac-md5' } },
    ],
    [
      'no secret',
      { primaries: [{ address: '192.0.2.1' }], key: { ...keyBody, secret: undefined } },
    ],
  ])('are refused if there are %s', async (_what, body) => {
    const zone = await createDomain(api);
    expect((await api.call('put', pathOf(zone), body)).status).toBe(400);
    expect((await api.call('get', pathOf(zone))).status).toBe(404);
  });

  it('have public addresses, and no key if none can be stored', async () => {
    const zone = await createDomain(bare);
    for (const address of ['127.0.0.1', '10.0.0.1', '169.254.169.254', '::1', '::ffff:10.0.0.1']) {
      const { status } = await bare.call('put', pathOf(zone), { primaries: [{ address }] });
      expect([address, status]).toEqual([address, 400]);
    }
    const body = { primaries: [{ address: '192.0.2.1' }], key: keyBody };
    await bare.call('put', pathOf(zone), body).expect(403);
  });

  it("can be set only for the tenant's own domains without records", async () => {
    const zone = await createDomain(api);
    await createRecord(api, zone.id, { name: zone.name, type: 'A', data: '192.0.2.1' });
    expect((await api.call('put', pathOf(zone), { primaries: [place] })).status).toBe(409);
    const other = await createDomain(api, {}, 'token-b');
    for (const method of ['get', 'put', 'delete'] as const) {
      await api.call(method, pathOf(other), { primaries: [place] }).expect(404);
    }
  });
});

describe('a secondary domain', () => {
  it.each([
    ['NSEC3', 'TYPE51', '0100000000'],
    ['DNAME', 'TYPE39', '00'],
  ])('with %s is refused while a live nameserver cannot answer it', async (_, type, data) => {
    const zone = await follow();
    await report(api.db, 1);
    await api.db.raw(`update dns.nameserver_status set capabilities = '{secondary}'`);
    say(zone.name, 8, [record(zone.name, type, data)]);
    expect((await refresh(zone)).problem).toContain('which these older nameservers do not support');
    await api.db.raw('delete from dns.nameserver_status');
    await api.call('post', `${pathOf(zone)}/refresh`).expect(200);
    await taken(zone, 8);
  });

  it("has its primary's records, including unknown types, and no records that users write", async () => {
    const zone = await follow();
    const name = `www.${zone.name}`;
    say(zone.name, 8, [
      record(name, 'A', '192.0.2.1', 60),
      record(`x.${zone.name}`, 'TYPE65300', '0a0b'),
      record(`m.${zone.name}`, 'MX', '10 mail.elsewhere.example.'),
    ]);
    await api.call('post', `${pathOf(zone)}/refresh`).expect(200);
    await taken(zone, 8);
    expect(await recordsOf(zone)).toEqual(
      [
        `${zone.name} 300 NS ns.elsewhere.example.`,
        `${zone.name} 300 SOA ns.elsewhere.example. host.${zone.name} 8 7200 900 1209600 300`,
        `m.${zone.name} 300 MX mail.elsewhere.example.`,
        `${name} 60 A 192.0.2.1`,
        `x.${zone.name} 300 TYPE65300 \\# 2 0a0b`,
      ].sort(),
    );
    const records = `/v1/domains/${zone.id}/records`;
    const named = await api.call('get', `${records}?name=${name}`);
    const [{ id }] = (named.body as { records: [{ id: string }] }).records;
    const refused = [
      api.call('post', records, { name, type: 'TXT', data: '"x"' }),
      api.call('put', `${records}/${id}`, { ttl: 5 }),
      api.call('delete', `${records}/${id}`),
      api.call('post', `/v2/zones/${zone.id}/recordsets`, {
        name: `y.${zone.name}`,
        type: 'A',
        records: ['192.0.2.9'],
      }),
    ];
    for (const call of refused) {
      const { status, text } = await call;
      expect([status, text]).toEqual([403, expect.stringContaining('primaries')]);
    }
    const history = await api.call(
      'get',
      `/v1/domains/${zone.id}/changes?extended=true&group=serial`,
    );
    expect(history.text).toContain('"transfer"');
    // The SOA and the NS records appear once: records that the service provides in other zones are not here.
    const exported = await api.call('get', `/v1/domains/${zone.id}/zonefile`).expect(200);
    expect(exported.text.match(/SOA/g)).toHaveLength(1);
  });

  it('transfers the changes since its serial, and the whole zone if they do not fit', async () => {
    const zone = await follow();
    const [a, b, c] = ['a', 'b', 'c'].map((label) =>
      record(`${label}.${zone.name}`, 'A', '192.0.2.2'),
    ) as [MessageRecord, MessageRecord, MessageRecord];
    const steps = (removed: MessageRecord) => [
      [soa(zone.name, 9), soa(zone.name, 7), removed],
      [soa(zone.name, 8), a, soa(zone.name, 8), soa(zone.name, 9), b, soa(zone.name, 9)],
    ];
    const www = record(`www.${zone.name}`, 'A', '192.0.2.1');
    primary.script = (type) => (type === 'SOA' ? [[soa(zone.name, 9)]] : steps(www));
    primary.questions.length = 0;
    await api.call('post', `${pathOf(zone)}/refresh`).expect(200);
    await taken(zone, 9);
    expect(primary.askedOf(zone.name)).not.toContain('AXFR');
    const names = async () =>
      (await recordsOf(zone)).filter((line) => line.includes(' A ')).map((line) => line[0]);
    expect(await names()).toEqual(['a', 'b']);
    // The transfer would remove records that do not exist.
    const wrong = [
      [soa(zone.name, 10), soa(zone.name, 9), www, soa(zone.name, 10), c, soa(zone.name, 10)],
    ];
    primary.script = (type) => {
      if (type === 'SOA') return [[soa(zone.name, 10)]];
      return type === 'IXFR' ? wrong : [zoneOf(zone.name, 10, [c])];
    };
    await api.call('post', `${pathOf(zone)}/refresh`).expect(200);
    await taken(zone, 10);
    expect(await names()).toEqual(['c']);
  });

  /** Changes the primary's version. The primary answers IXFR with the changes, but AXFR only with one record. */
  async function change(
    zone: DomainBody,
    { removed = [], added = [] }: Readonly<Record<string, readonly MessageRecord[]>>,
  ): Promise<string[]> {
    const { name } = zone;
    const steps = [soa(name, 9), soa(name, 7), ...removed, soa(name, 9), ...added, soa(name, 9)];
    const whole = zoneOf(name, 9, [record(`whole.${name}`, 'A', '192.0.2.9')]);
    primary.script = (type) => {
      if (type === 'SOA') return [[soa(name, 9)]];
      return [type === 'IXFR' ? steps : whole];
    };
    primary.questions.length = 0;
    await api.call('post', `${pathOf(zone)}/refresh`).expect(200);
    await taken(zone, 9);
    return (await recordsOf(zone)).filter((line) => / (A|CNAME) /.test(line));
  }

  it('RFC 4343 s3: a record that is removed and added in one transfer, in another letter case, exists once', async () => {
    const zone = await createDomain(api);
    const alias = (target: string) => record(`alias.${zone.name}`, 'CNAME', target);
    say(zone.name, 7, [alias('www.elsewhere.example.')]);
    await api.call('put', pathOf(zone), { primaries: [place] }).expect(200);
    await taken(zone, 7);
    const [removed, added] = [[alias('www.elsewhere.example.')], [alias('WWW.Elsewhere.example.')]];
    expect(await change(zone, { removed, added })).toEqual([
      expect.stringMatching(/^alias\.\S+ 300 CNAME WWW\.Elsewhere\.example\.$/i),
    ]);
    expect(primary.askedOf(zone.name)).not.toContain('AXFR');
    const { rows } = await api.db.raw<{ rows: { counted: number; rows: number }[] }>(
      `select d.record_count as counted, (select count(*) from dns.records as r where r.domain_id = d.id) as rows
         from dns.domains as d where d.id = ?`,
      [zone.id],
    );
    expect(rows[0]?.counted).toBe(rows[0]?.rows);
  });

  const fewer = (name: string, count: number) =>
    Array.from({ length: count }, (_, at) => record(`m${at}.${name}`, 'A', '192.0.2.1'));
  it.each<[string, (name: string) => Readonly<Record<string, readonly MessageRecord[]>>]>([
    ['more records than the tenant may have', (name) => ({ added: fewer(name, 48) })],
    ['no NS', (name) => ({ removed: [record(name, 'NS', 'ns.elsewhere.example.')] })],
    [
      'a CNAME beside others',
      (name) => ({ added: [record(`www.${name}`, 'CNAME', 'x.example.')] }),
    ],
  ])('is transferred as a whole if it would have %s by the changes', async (_what, changed) => {
    const zone = await follow();
    expect(await change(zone, changed(zone.name))).toEqual([`whole.${zone.name} 300 A 192.0.2.9`]);
    expect(primary.askedOf(zone.name)).toContain('AXFR');
  });

  it('is transferred by one process at a time', async () => {
    const zone = await follow();
    const sockets: Socket[] = [];
    primary.script = waiting(zone.name, (socket) => sockets.push(socket));
    await api.call('post', `${pathOf(zone)}/refresh`).expect(200);
    await waitFor(() => sockets.length > 0);
    // Another process claims all due zones.
    const due = await claimDue(api.db, { limit: 1_000, busyTenants: [] });
    await api.db.raw(
      'update dns.secondaries as s set held_by = null, held_until = null where s.held_by = any(?::uuid[])',
      [due.map(({ heldBy }) => heldBy)],
    );
    expect(due.map(({ zoneId }) => zoneId)).not.toContain(zone.id);
    for (const socket of sockets) socket.destroy();
  });

  const www = (name: string) => record(`www.${name}`, 'A', '192.0.2.66');
  it.each<[string, (name: string) => ScriptedPrimary['script'], RegExp]>([
    [
      'is elsewhere',
      (name) => other(zoneOf(name, 8, [record('www.other.example.', 'A', '192.0.2.66')])),
      /outside/,
    ],
    ['has no NS', (name) => other([soa(name, 8), www(name), soa(name, 8)]), /no NS/],
    [
      'has a CNAME beside others',
      (name) => other(zoneOf(name, 8, [www(name), record(`www.${name}`, 'CNAME', 'x.example.')])),
      /CNAME/,
    ],
    [
      'has rdata of another type',
      (name) => other(zoneOf(name, 8, [{ ...www(name), type: RR_TYPE.AAAA }])),
      /rdata/,
    ],
    [
      'has NSEC3 with more iterations than are answered',
      (name) => other(zoneOf(name, 8, [record(name, 'TYPE51', '0100006500')])),
      /101 iterations, but at most 100 are allowed/,
    ],
    [
      'has NSEC3 of an unknown hash',
      (name) => other(zoneOf(name, 8, [record(name, 'TYPE51', '0200000000')])),
      /hash algorithm 2/,
    ],
    [
      'has a type of questions',
      (name) => other(zoneOf(name, 8, [{ ...www(name), type: RR_TYPE.ANY }])),
      /ANY/,
    ],
    [
      'changes during the transfer',
      (name) => other([...zoneOf(name, 8, []).slice(0, 2), soa(name, 9)]),
      /serial changes/,
    ],
    [
      'continues after its end',
      (name) => other([...zoneOf(name, 8, []), www(name)]),
      /follow the final SOA/,
    ],
    ['does not begin', (name) => other([www(name)]), /begin/],
    [
      'has more records than the tenant may have',
      (name) =>
        other(
          zoneOf(
            name,
            8,
            Array.from({ length: 60 }, (_, at) => record(`n${at}.${name}`, 'A', '192.0.2.1')),
          ),
        ),
      /more than 50/,
    ],
    [
      'is longer than allowed',
      (name) =>
        other(
          zoneOf(
            name,
            8,
            Array.from({ length: 40 }, (_, at) =>
              record(`n${at}.${name}`, 'TYPE65300', 'ab'.repeat(2_000)),
            ),
          ),
        ),
      /65536 octets/,
    ],
    ['never comes', (name) => waiting(name, () => undefined), /time|closed the connection/],
    [
      'arrives very slowly',
      (name) =>
        waiting(name, (socket) => {
          const timer = setInterval(() => socket.write(Buffer.of(0)), 50);
          socket.on('close', () => {
            clearInterval(timer);
          });
        }),
      /not a DNS message|broke off/,
    ],
    [
      'is cut off',
      (name) => waiting(name, (socket) => socket.end(Buffer.of(1, 0, 5))),
      /closed the connection/,
    ],
    [
      'is garbage',
      (name) => waiting(name, (socket) => socket.write(frame(Buffer.alloc(40, 255)))),
      /not a DNS message|does not match the query/,
    ],
    [
      'is an answer to another question',
      (name) =>
        waiting(name, (socket, asked) =>
          socket.write(frame(answerTo(asked, { id: asked.id ^ 1 }))),
        ),
      /does not match the query/,
    ],
    [
      'is refused',
      (name) =>
        waiting(name, (socket, asked) => socket.write(frame(answerTo(asked, { flags: 0x8405 })))),
      /REFUSED/,
    ],
    [
      'is not authoritative',
      (name) => () => (socket, asked) =>
        socket.write(frame(answerTo(asked, { flags: 0x8000, answers: [soa(name, 8)] }))),
      /authoritative/,
    ],
  ])('stays unchanged if the transfer %s', async (_what, script, problem) => {
    // None of these responses changes the zone.
    const zone = (followed ??= await follow());
    const before = await recordsOf(zone);
    primary.script = script(zone.name);
    const state = await refresh(zone);
    expect(state).toMatchObject({ serial: 7, state: 'answered' });
    expect(state.problem).toMatch(problem);
    expect(await recordsOf(zone)).toEqual(before);
  });

  it('transfers nothing that is not signed with its key', async () => {
    primary.key = key;
    const zone = await follow({ key: keyBody });
    say(zone.name, 8, []);
    for (const wrong of [undefined, { ...key, secret: Buffer.alloc(32) }]) {
      primary.key = wrong;
      expect(await refresh(zone)).toMatchObject({
        serial: 7,
        problem: expect.stringContaining('signature'),
      });
    }
  });

  it('RFC 1035 s3.3.13: a transfer that could not be written is requested again soon, and not only after RETRY', async () => {
    const zone = await follow();
    const secondsToNext = async () => {
      const { rows } = await api.db.raw<{ rows: { seconds: number; retry: number }[] }>(
        `select cast(extract(epoch from s.next_at - now()) as float8) as seconds, s.retry from dns.secondaries as s where s.domain_id = ?`,
        [zone.id],
      );
      return rows[0]!;
    };
    await api.db.raw(
      `create function public.refuse() returns trigger language plpgsql as $$ begin raise 'full'; end $$`,
    );
    await api.db.raw(
      `create trigger refuse before insert on dns.records for each row when (new.name = 'full.${zone.name}')
       execute function public.refuse()`,
    );
    try {
      say(zone.name, 8, [record(`full.${zone.name}`, 'A', '192.0.2.1')]);
      expect(await refresh(zone)).toMatchObject({ problem: 'this service could not store it' });
      const { seconds, retry } = await secondsToNext();
      expect(seconds).toBeLessThan(retry / 2);
    } finally {
      await api.db.raw('drop function public.refuse cascade');
    }
    await api.call('post', `${pathOf(zone)}/refresh`).expect(200);
    await taken(zone, 8);
  });

  it('is requested once more, without a wait, while a large version of it is still being written', async () => {
    const zone = await follow();
    await api.db.raw(
      `create function public.wait_for_test() returns trigger language plpgsql as
       $$ begin perform pg_advisory_xact_lock_shared(17); return new; end $$`,
    );
    await api.db.raw(
      `create trigger wait_for_test before insert on dns.records for each row when (new.name = 'large.${zone.name}')
       execute function public.wait_for_test()`,
    );
    try {
      await api.db.transaction(async (trx) => {
        await trx.raw('select pg_advisory_xact_lock(17)');
        say(zone.name, 8, [record(`large.${zone.name}`, 'A', '192.0.2.1')]);
        await api.call('post', `${pathOf(zone)}/refresh`).expect(200);
        await waitFor(async () => {
          const { rows } = await trx.raw<{ rows: unknown[] }>(
            `select from pg_locks where locktype = 'advisory' and objid = 17 and not granted`,
          );
          return rows.length > 0;
        });
        say(zone.name, 9, []);
        await api.call('post', `${pathOf(zone)}/refresh`).expect(200);
      });
      await taken(zone, 9);
    } finally {
      await api.db.raw('drop function public.wait_for_test cascade');
    }
  });

  it('tries the next primary if one fails, and never transfers an older version', async () => {
    const zone = await follow();
    const gone = { address: '127.0.0.1', port: 1 };
    say(zone.name, 8, []);
    await api.call('put', pathOf(zone), { primaries: [gone, place] }).expect(200);
    await taken(zone, 8);
    say(zone.name, 3, []);
    primary.questions.length = 0;
    await api.call('post', `${pathOf(zone)}/refresh`).expect(200);
    await waitFor(() => primary.askedOf(zone.name).length > 0);
    expect(primary.askedOf(zone.name)).toEqual(['SOA']);
  });

  it('RFC 1035 s3.3.13: is no longer answered after EXPIRE without a primary, and again when one responds', async () => {
    const zone = await follow();
    primary.script = () => (socket) => socket.destroy();
    await api.db.raw(
      `update dns.secondaries set refreshed_at = now() - interval '1 hour', expire = 60, next_at = now() where domain_id = ?`,
      [zone.id],
    );
    await waitFor(async () => (await stateOf(zone)).state === 'withheld');
    say(zone.name, 7, []);
    await api.call('post', `${pathOf(zone)}/refresh`).expect(200);
    await waitFor(async () => (await stateOf(zone)).state === 'answered');
  });

  it('becomes a primary zone with its records when its primaries are deleted', async () => {
    const zone = await follow();
    await api.call('delete', pathOf(zone)).expect(200);
    expect(await recordsOf(zone)).toEqual([`www.${zone.name} 300 A 192.0.2.1`]);
    await createRecord(api, zone.id, { name: `y.${zone.name}`, type: 'A', data: '192.0.2.1' });
    await api.call('get', pathOf(zone)).expect(404);
    const { rows } = await api.db.raw<{ rows: { current: boolean; counted: boolean }[] }>(
      `select d.apex_version = (select max(version) from dns.apex_versions) as current, d.record_count = 2 as counted
         from dns.domains as d where d.id = ?`,
      [zone.id],
    );
    expect(rows).toEqual([{ current: true, counted: true }]);
  });
});

/** Returns the response to any type except SOA. */
function other(answers: readonly MessageRecord[]): ScriptedPrimary['script'] {
  const last = answers[0]?.type === RR_TYPE.SOA ? answers[0] : undefined;
  return (type) => {
    if (type !== 'SOA') return [answers];
    return [[last ?? soa(ofName(answers), 8)]];
  };
}

function ofName([first]: readonly MessageRecord[]): string {
  const text = Buffer.from(first?.name ?? []).toString('latin1');
  return `${text.slice(5, 5 + (first?.name[4] ?? 0))}.example.`;
}

function waiting(
  name: string,
  act: Exclude<ReturnType<ScriptedPrimary['script']>, readonly unknown[]>,
): ScriptedPrimary['script'] {
  return (type) => (type === 'SOA' ? [[soa(name, 8)]] : act);
}

describe('transfers of several tenants', () => {
  it('a tenant with slow primaries has two of four slots; a deleted zone frees its slot', async () => {
    const slow = new ScriptedPrimary();
    const asked = new Map<string, Socket>();
    let mostAsked = 0;
    const zones: DomainBody[] = [];
    slow.script =
      () =>
      (socket, { questions: [question] }) => {
        const name = wireToName(question!.name);
        asked.set(name, socket);
        mostAsked = Math.max(mostAsked, asked.size);
        socket.on('close', () => asked.delete(name));
      };
    const slowPlace = await slow.start();
    try {
      for (let at = 0; at < 8; at += 1) {
        const zone = await createDomain(patient);
        zones.push(zone);
        await patient.call('put', pathOf(zone), { primaries: [slowPlace] }).expect(200);
      }
      await waitFor(() => asked.size === 2);
      const honest = await createDomain(patient, {}, 'token-b');
      say(honest.name, 7, []);
      await patient.callAs('token-b', 'put', pathOf(honest), { primaries: [place] }).expect(200);
      await waitFor(async () => {
        const answer = await patient.callAs('token-b', 'get', pathOf(honest)).expect(200);
        return (answer.body as PrimariesBody).serial === 7;
      });
      expect(mostAsked).toBe(2);
      const before = [...asked.keys()];
      for (const zone of zones.filter(({ name }) => before.includes(name))) {
        await patient.call('delete', `/v1/domains/${zone.id}`).expect(200);
      }
      await waitFor(() => before.every((name) => !asked.has(name)) && asked.size === 2);
    } finally {
      slow.stop();
    }
  });
});

describe('NOTIFY (RFC 1996)', () => {
  function notify(name: string, members: object = {}): Uint8Array {
    const questions = [{ name: nameToWire(name), type: RR_TYPE.SOA, class: RR_CLASS.IN }];
    return writeMessage({ id: 5, flags: 0x2400, questions, ...members });
  }

  async function send(message: Uint8Array, source = '127.0.0.1') {
    const body = { message: Buffer.from(message).toString('base64'), source, transport: 'udp' };
    const answer = await api.callAs('token-ns', 'post', '/internal/v1/notifies', body).expect(200);
    const octets = Buffer.from((answer.body as { message: string }).message, 'base64');
    return { octets, message: readMessage(octets) };
  }

  it('makes the service query the primaries if it comes from one of them', async () => {
    const zone = await follow();
    say(zone.name, 8, []);
    const refused = await send(notify(zone.name), '192.0.2.7');
    expect(rcodeOf(refused.message)).toBe(RCODE.REFUSED);
    expect(await stateOf(zone)).toMatchObject({ serial: 7 });
    const { message } = await send(notify(zone.name));
    expect([rcodeOf(message), message.flags & 0xfc00, message.id]).toEqual([0, 0xa400, 5]);
    await taken(zone, 8);
  });

  it('is verified and answered with the key of the primaries if it is signed', async () => {
    primary.key = key;
    const zone = await follow({ key: keyBody });
    say(zone.name, 8, []);
    const now = Date.now() / 1_000;
    const wrong = signRequest(notify(zone.name), { ...key, secret: Buffer.alloc(32) }, now);
    const refused = await send(wrong.message);
    expect([rcodeOf(refused.message), refused.message.tsig?.error]).toEqual([RCODE.NOTAUTH, 16]);
    const signed = signRequest(notify(zone.name), key, now);
    const { octets, message } = await send(signed.message);
    const checker = new TsigAnswerChecker(key, signed.mac);
    expect(checker.check(octets, message.tsig, now)).toBeUndefined();
    await taken(zone, 8);
  });

  it.each([
    ['a primary zone', async () => notify((await createDomain(api)).name), 'REFUSED'],
    ['an unknown zone', () => Promise.resolve(notify('none.example.')), 'REFUSED'],
    ['no question', () => Promise.resolve(notify('x.example.', { questions: [] })), 'FORMERR'],
    ['no NOTIFY', () => Promise.resolve(notify('x.example.', { flags: 0x2800 })), 'NOTIMP'],
    ['no message', () => Promise.resolve(notify('x.example.').slice(0, 20)), 'FORMERR'],
  ] as const)('is refused for %s', async (_what, make, rcode) => {
    expect(rcodeOf((await send(await make())).message)).toBe(RCODE[rcode]);
  });

  it('is accepted only from nameservers', async () => {
    const body = { message: '', source: '127.0.0.1', transport: 'udp' };
    expect((await api.call('post', '/internal/v1/notifies', body)).status).toBe(403);
  });
});

describe('Designate v2', () => {
  it('creates secondary zones, shows and lists them, and gives them other masters', async () => {
    const name = freshName();
    say(name, 7, []);
    const masters = [`${place.address}:${place.port}`];
    const body = { name, type: 'SECONDARY', masters };
    const made = await api.call('post', '/v2/zones', body).expect(202);
    const { id } = made.body as { id: string };
    expect(made.body).toMatchObject({ type: 'SECONDARY', masters, transferred_at: null });
    const one = `/v2/zones/${id}`;
    type Shown = { serial: number; transferred_at: string | null };
    const shown = async () => (await api.call('get', one).expect(200)).body as Shown;
    await waitFor(async () => (await shown()).serial === 7);
    expect((await shown()).transferred_at).not.toBeNull();
    const listed = async (type: string) => {
      const list = await api.call('get', `/v2/zones?type=${type}&name=${name}`);
      return (list.body as { zones: unknown[] }).zones.length;
    };
    expect([await listed('SECONDARY'), await listed('PRIMARY')]).toEqual([1, 0]);
    say(name, 8, []);
    await api.call('post', `${one}/tasks/xfr`).expect(202);
    await waitFor(async () => (await shown()).serial === 8);
    const moved = await api
      .call('patch', one, { masters: ['192.0.2.1', '[2001:db8::1]:5353'] })
      .expect(202);
    expect(moved.body).toMatchObject({ masters: ['192.0.2.1:53', '[2001:db8::1]:5353'] });
    const sets = await api.call('get', `${one}/recordsets`).expect(200);
    const { recordsets } = sets.body as { recordsets: { type: string }[] };
    expect(recordsets.map(({ type }) => type).sort()).toEqual(['NS', 'SOA']);
  });

  it('creates one that is not signed here, even if other new zones are', async () => {
    const stateOf = async (members: object) => {
      const body = { name: freshName(), ...members };
      const made = await signing.call('post', '/v2/zones', body);
      expect({ status: made.status, body: made.body as unknown }).toMatchObject({ status: 202 });
      const { id } = made.body as { id: string };
      const shown = await signing.call('get', `/v1/domains/${id}/dnssec`).expect(200);
      return (shown.body as { state: string }).state;
    };
    expect(await stateOf({ type: 'SECONDARY', masters: ['192.0.2.1'] })).toBe('unsigned');
    expect(await stateOf({ email: 'a@b.example' })).toBe('signing');
  });

  it.each([
    [{ type: 'SECONDARY' }],
    [{ type: 'SECONDARY', masters: ['x'] }],
    [{ type: 'SECONDARY', masters: ['192.0.2.1:99999'] }],
    [{ type: 'PRIMARY', email: 'a@b.example', masters: ['192.0.2.1'] }],
    [{ type: 'OTHER', email: 'a@b.example' }],
  ])('refuses %j', async (members) => {
    const body = { name: freshName(), ...members };
    expect((await api.call('post', '/v2/zones', body)).status).toBe(400);
  });
});
