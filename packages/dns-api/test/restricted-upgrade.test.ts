import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import request from 'supertest';
import { usePlatform } from './support/use-platform.js';

/**
 * The proxy simulates a DNS API from before restrictions, beside an identity service that knows them. It removes the
 * header by which a service says that it supports restrictions.
 */
const asked: boolean[] = [];

const proxy = http.createServer((incoming, outgoing) => {
  const { 'x-zonewright-understands': said, ...headers } = incoming.headers;
  if (incoming.url?.startsWith('/v3/auth/tokens') === true) asked.push(said !== undefined);
  const { method, url } = incoming;
  const target = new URL(url ?? '', platform.identityUrl);
  const forwarded = http.request(target, { method, headers }, (answer) => {
    outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
    answer.pipe(outgoing);
  });
  incoming.pipe(forwarded);
});
// The proxy starts before the platform, which is ready when the DNS API reaches the identity service.
beforeAll(async () => {
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
});
const proxyUrl = () => `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
const platform = usePlatform({ env: () => ({ IDENTITY_URL: proxyUrl() }) });
afterAll(() => {
  proxy.close();
  proxy.closeAllConnections();
});

async function restrictedToken(): Promise<string> {
  const { world, identityUrl } = platform;
  const owner = await platform.login(world.user, world.tenant.id);
  const created = await request(identityUrl)
    .post('/v2.0/EXT-IDM/v1.0/accesskeys')
    .set('X-Auth-Token', owner)
    .send({ accessKey: { otherAttributes: { preset: 'acme', zone: 'example.com.' } } })
    .expect(201);
  const { accessKeyId: accessKey, secretKey } = (
    created.body as { accessKey: { accessKeyId: string; secretKey: string } }
  ).accessKey;
  const response = await request(identityUrl)
    .post('/v2.0/tokens')
    .send({ auth: { apiAccessKeyCredentials: { accessKey, secretKey } } })
    .expect(200);
  return (response.body as { access: { token: { id: string } } }).access.token.id;
}

const listZones = (token: string) =>
  request(platform.dnsUrl).get('/v1/domains').set('X-Auth-Token', token);

describe('A restricted token during a rolling upgrade', () => {
  it('is refused by a DNS API without restrictions, which serves all other tokens', async () => {
    const { world } = platform;
    await listZones(await platform.login(world.user, world.tenant.id)).expect(200);
    await listZones(await restrictedToken()).expect(401);
    // This version sends the header each time; only the proxy removes it.
    expect(asked.length).toBeGreaterThan(1);
    expect(asked).not.toContain(false);
  });

  it('is unknown to a version of identity-service without restrictions', async () => {
    const [header = ''] = (await restrictedToken()).split('.');
    const { kid } = JSON.parse(Buffer.from(header, 'base64url').toString()) as { kid: string };
    const { rows } = await platform.db.raw<{ rows: { id: string }[] }>(
      'select id from identity.signing_keys',
    );
    const ids = rows.map(({ id }) => id);
    // The old version searches for the key by its whole id and finds none.
    expect(ids).not.toContain(kid);
    expect(ids.some((id) => kid.startsWith(id))).toBe(true);
  });
});
