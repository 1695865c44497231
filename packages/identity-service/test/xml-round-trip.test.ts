import type { Element } from '@xmldom/xmldom';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { createRedisNamespace, describeWithRedis } from '@zonewright/testkit';
import { ACCESS_KEY } from '../src/representation/access-key.js';
import { type AnswerName, ANSWERS } from '../src/schemas/answers.js';
import { ACCESS_KEYS, TENANTS as TENANT_VALUES } from '../src/schemas/samples.js';
import { represent, type Representation, parseXml } from '@zonewright/http-api';
import { ROUTES } from '../src/routes.js';
import { TENANTS } from '../src/representation/tenants.js';
import { type Answer, type Call, call, tokenOf } from './client.js';
import { DOCUMENTS, parseIndependently, toJsonValue, withoutJsonOnly } from './documented-xml.js';
import { soundCall } from './sound-call.js';
import { useIdentity, waitUntilOnRedis } from './use-identity.js';

/** Returns what the service's own reader makes of a document, from the tree of another parser (D-ID). */
function asRead(element: Element): unknown {
  const members = new Map<string, unknown[]>();
  const add = (name: string, value: unknown) =>
    members.set(name, [...(members.get(name) ?? []), value]);
  for (const { name, value } of Array.from(element.attributes)) {
    if (name !== 'xmlns') add(name, value);
  }
  const children = Array.from(element.childNodes).filter((node) => node.nodeType === 1);
  for (const child of children as Element[]) add(child.localName ?? '', asRead(child));
  if (members.size === 0 && (element.textContent ?? '') !== '') return element.textContent;
  return Object.fromEntries(
    [...members].map(([name, values]) => [name, values.length === 1 ? values[0] : values]),
  );
}

async function expectRoundTrip(name: AnswerName, body: Representation): Promise<void> {
  const xml = body.toXml();
  const tree = parseIndependently(xml);
  const json = JSON.parse(body.toJson()) as unknown;
  expect(toJsonValue(tree, DOCUMENTS[name])).toEqual(withoutJsonOnly(json, DOCUMENTS[name]));
  const read = JSON.parse(
    JSON.stringify(await parseXml(xml, { maxDepth: 64, maxMarkup: 5_000 })),
  ) as unknown;
  expect(read).toEqual({ [tree.localName ?? '']: asRead(tree) });
}

describe('XML round trip', () => {
  it('exactly the resources that the API returns have a documented form', () => {
    expect(Object.keys(DOCUMENTS).sort()).toEqual(Object.keys(ANSWERS).sort());
    const answered = ROUTES.flatMap(({ answers }) => answers ?? []);
    expect([...new Set(answered)].sort()).toEqual(Object.keys(ANSWERS).sort());
  });

  it.each(Object.keys(ANSWERS) as AnswerName[])(
    'Identity s2, D-ID: %s has the same content in XML as in JSON, with the documented names and namespace',
    async (name) => {
      for (const body of ANSWERS[name]) await expectRoundTrip(name, body);
    },
  );

  it.each([
    ['markup', '<a b="c">&amp;</a>\'"'],
    ['an end of CDATA', 'a]]>b'],
    ['line ends and tabs', 'a\n\tb\r\nc\rd'],
    ['blanks', '  a  b '],
    ['letters of all planes', 'é ß 漢 \u{1F600} \u00A0 \u200B'],
  ])('XML 1.0 s3.3.3: texts with %s arrive unchanged', async (_what, text) => {
    const tenants = TENANT_VALUES.map((tenant) => ({ ...tenant, name: text, description: text }));
    await expectRoundTrip('Tenants', represent(TENANTS, { tenants, nextUrl: undefined }));
    const [key] = ACCESS_KEYS;
    const shown = { ...key!, key: { ...key!.key, id: text, algorithm: text }, secretKey: text };
    await expectRoundTrip('AccessKey', represent(ACCESS_KEY, shown));
  });
});

/** Members that differ between two responses of one operation, because each creates a new object. */
const NEW_EACH_TIME =
  /^(id|expires|issued_at|expires_at|self|secret|accessKeyId|secretKey|createdOn|validFrom|validTo)$/;

function maskNew(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(maskNew);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]: [string, unknown]) => [
      name,
      NEW_EACH_TIME.test(name) ? typeof member : maskNew(member),
    ]),
  );
}

describeWithRedis('XML and JSON over HTTP, against PostgreSQL and Redis', () => {
  const redis = createRedisNamespace();
  const env = { REDIS_URL: redis.url, REDIS_KEY_PREFIX: redis.prefix };
  const identity = useIdentity({ env });
  let token = '';

  beforeAll(async () => {
    await waitUntilOnRedis(identity);
    token = await tokenOf(identity.url, identity.world.user, identity.world.tenant.id);
  });

  /** Removes an object whose name must be unique. */
  async function remove(sent: Call, { json }: Answer): Promise<void> {
    const { application_credential: made } = json as { application_credential?: { id: string } };
    if (sent.method !== 'POST' || made === undefined) return;
    const path = `${sent.path}/${made.id}`;
    const answer = await call(identity.url, { method: 'DELETE', path, token: sent.token });
    expect(answer.status).toBe(204);
  }

  it.each(
    ROUTES.flatMap(({ method, path, answers }) => {
      return answers === undefined || method === 'HEAD' ? [] : [{ method, path, answers }];
    }),
  )('Identity s1: $method $path returns the same in both formats', async (one) => {
    const sent = await soundCall({ identity, token, alias: 'HP-IDM' }, one.method, one.path);
    const json = await call(identity.url, { ...sent, accept: 'json' });
    await remove(sent, json);
    const xml = await call(identity.url, { ...sent, accept: 'xml' });
    expect([xml.status, xml.headers['content-type']]).toEqual([json.status, 'application/xml']);
    const document = DOCUMENTS[one.answers];
    const fromXml = toJsonValue(parseIndependently(xml.text), document);
    const fromJson = withoutJsonOnly(json.json, document);
    const isNew = one.method !== 'GET' || /^\/(auth\/)?v1/.test(one.path);
    expect(isNew ? maskNew(fromXml) : fromXml).toEqual(isNew ? maskNew(fromJson) : fromJson);
  });
});
