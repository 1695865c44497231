import { beforeAll, describe, expect, it } from '@jest/globals';
import { FakeClock, insertUser, type TestUser } from '@zonewright/testkit';
import { request as sendRequest } from 'node:http';
import { AccessKeysClient } from './access-keys-client.js';
import { call, tokenOf } from './client.js';
import { useIdentity } from './use-identity.js';

/**
 * Validation of a known token is answered directly. A query, even an empty one, makes the same request take the usual
 * way. Both responses must have the same headers and the same bytes, except for the request id and the time.
 */
const clock = new FakeClock();
const identity = useIdentity({ clock });

const OF_EACH_REQUEST = ['x-openstack-request-id', 'date'];

interface RawAnswer {
  readonly status: number | undefined;
  /** Names and values alternate, in the order and the case in which they were sent. */
  readonly headers: readonly string[];
  readonly body: string;
}

interface Tokens {
  readonly service: string;
  readonly subject: string;
  readonly blocked: string;
  readonly stranger: string;
  readonly revoked: string;
  readonly expired: string;
  readonly restricted: string;
}
let tokens: Tokens;

beforeAll(async () => {
  const { user, tenant, serviceUser, accountDomainId } = identity.world;
  const suspended = await insertUser(identity.db, { accountDomainId });
  const expired = await tokenOf(identity.url, user);
  clock.advance(12 * 60 * 60 * 1000);
  tokens = {
    service: await tokenOf(identity.url, serviceUser),
    subject: await tokenOf(identity.url, user, tenant.id),
    blocked: await tokenOf(identity.url, suspended),
    stranger: await tokenOf(identity.url, await insertUser(identity.db, { accountDomainId })),
    revoked: await tokenOf(identity.url, user),
    expired,
    restricted: await restrictedTokenOf(user, tenant.id),
  };
  await ask(`/v2.0/tokens/${tokens.revoked}`, { 'X-Auth-Token': tokens.revoked }, 'DELETE');
  await identity.db.raw(`update identity.users set status = 'suspended' where id = ?`, [
    suspended.id,
  ]);
});

async function restrictedTokenOf(user: TestUser, tenantId: string): Promise<string> {
  const keys = new AccessKeysClient(identity.url, await tokenOf(identity.url, user, tenantId));
  const { accessKeyId: accessKey, secretKey } = await keys.create({
    otherAttributes: { preset: 'acme', zone: 'example.com.', tenantId },
  });
  const body = { auth: { apiAccessKeyCredentials: { accessKey, secretKey } } };
  const { json } = await call(identity.url, { method: 'POST', path: '/v2.0/tokens', body });
  return (json as { access: { token: { id: string } } }).access.token.id;
}

async function ask(
  path: string,
  headers: Readonly<Record<string, string>>,
  method = 'GET',
): Promise<RawAnswer> {
  return await new Promise((resolve, reject) => {
    const sent = sendRequest(identity.url + path, { method, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        resolve({
          status: response.statusCode,
          headers: response.rawHeaders,
          body: Buffer.concat(chunks).toString(),
        });
      });
    });
    sent.on('error', reject).end();
  });
}

/** Removes the values that differ between requests; their names stay in their positions. */
function comparable(answer: RawAnswer): RawAnswer {
  const headers = answer.headers.map((text, at) => {
    const name = answer.headers[at - 1]?.toLowerCase() ?? '';
    return at % 2 === 1 && OF_EACH_REQUEST.includes(name) ? '' : text;
  });
  return { ...answer, headers };
}

const CALLERS: readonly (keyof Tokens | 'nobody' | 'forged')[] = [
  'service',
  'subject',
  'stranger',
  'restricted',
  'blocked',
  'revoked',
  'expired',
  'nobody',
  'forged',
];
const SUBJECTS: readonly (keyof Tokens | 'unknown' | 'forged')[] = [
  'subject',
  'service',
  'restricted',
  'blocked',
  'revoked',
  'expired',
  'unknown',
  'forged',
];
const MANNERS: readonly Readonly<Record<string, string>>[] = [
  ...[
    'application/json',
    'application/xml',
    '*/*',
    'text/html',
    'application/xml;q=0.5, */*;q=0.1',
  ].map((Accept) => ({ Accept })),
  { Accept: 'application/json', 'X-Zonewright-Understands': 'restrictions' },
  { Accept: 'application/json' },
];

function tokenIdOf(name: keyof Tokens | 'nobody' | 'unknown' | 'forged'): string | undefined {
  if (name === 'nobody') return undefined;
  if (name === 'unknown') return 'unknown';
  // The last character of a signature contains bits that are ignored, so an earlier one is changed.
  if (name === 'forged') return `${tokens.subject.slice(0, -6)}AAAAAA`;
  return tokens[name];
}

describe('Validation at once', () => {
  it.each(CALLERS.flatMap((caller) => SUBJECTS.map((subject) => [caller, subject] as const)))(
    'answers %s about %s as the usual way does, in both versions and all formats',
    async (caller, subject) => {
      const callerId = tokenIdOf(caller);
      const subjectId = tokenIdOf(subject) ?? '';
      for (const manner of MANNERS) {
        const headers = {
          ...manner,
          ...(callerId === undefined ? {} : { 'X-Auth-Token': callerId }),
          'X-Subject-Token': subjectId,
        };
        for (const path of [`/v2.0/tokens/${subjectId}`, '/v3/auth/tokens']) {
          const direct = await ask(path, headers);
          const theUsualWay = await ask(`${path}?`, headers);
          expect(comparable(direct)).toEqual(comparable(theUsualWay));
        }
      }
    },
  );

  it('gives a second question the same answer as the first', async () => {
    const headers = { 'X-Auth-Token': tokens.service };
    const answers = [];
    for (let time = 0; time < 3; time += 1) {
      answers.push(comparable(await ask(`/v2.0/tokens/${tokens.subject}`, headers)));
    }
    expect(answers[0]?.status).toBe(200);
    expect(answers[1]).toEqual(answers[0]);
    expect(answers[2]).toEqual(answers[0]);
  });

  it('does not recognize a token by a part of it', async () => {
    const headers = { 'X-Auth-Token': tokens.service };
    const { subject } = tokens;
    expect((await ask(`/v2.0/tokens/${subject}`, headers)).status).toBe(200);
    const signed = subject.slice(0, subject.lastIndexOf('.'));
    for (const id of [
      signed,
      `${signed}.`,
      `${signed}.AAAA`,
      subject.slice(0, -1),
      `${subject}=`,
    ]) {
      expect((await ask(`/v2.0/tokens/${id}`, headers)).status).toBe(404);
    }
  });
});
