import { beforeAll, describe, expect, it } from '@jest/globals';
import { withRole, DATABASE_ROLES } from '@zonewright/database';
import { inTime, startProxy, waitFor } from '@zonewright/testkit';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { ROUTES } from '../src/routes.js';
import { administrationBody } from './administration-calls.js';
import { type Call, call, faultOf, FORMATS, parseXml, tokenOf } from './client.js';
import {
  type RunningIdentity,
  startIdentity,
  useIdentity,
  waitUntilReady,
} from './use-identity.js';

const identity = useIdentity({ env: { IDENTITY_REQUEST_TIMEOUT_SECONDS: '1' } });
let token = '';

beforeAll(async () => {
  token = await tokenOf(identity.url, identity.world.user);
});

/** A request, with whether its operation accepts only JSON. */
type SoundCall = Call & { readonly isJson: boolean };

/** Returns a request of each operation that reads the database. */
function requests(): SoundCall[] {
  const { user } = identity.world;
  const { name, password } = user;
  const auth = { passwordCredentials: { username: name, password } };
  const v3Auth = { identity: { methods: ['password'], password: { user: { name, password } } } };
  const bodies: Record<string, object> = {
    'POST /v2.0/tokens': { auth },
    'POST /v3/auth/tokens': { auth: v3Auth },
    'POST /v2.0/EXT-IDM/v1.0/accesskeys': { accessKey: {} },
    'PUT /v2.0/EXT-IDM/v1.0/accesskeys': {
      accessKeys: { accessKey: { secretKey: 's', algorithm: 'x' } },
    },
    'PUT /v2.0/EXT-IDM/v1.0/accesskeys/{accesskeyId}': { accessKey: { status: 'active' } },
  };
  const usesDatabase = ROUTES.filter(
    (route) => route.access === 'token' || /Auth/.test(route.name),
  );
  return usesDatabase.map(({ method, path, json }) => ({
    method,
    isJson: json !== undefined,
    path: path
      .replace('{tokenId}', token)
      .replace('{userId}', user.id)
      .replaceAll(/\{\w+\}/g, 'ID'),
    token,
    body: bodies[`${method} ${path}`] ?? administrationBody(method, path),
    headers: {
      'X-Subject-Token': token,
      'X-Auth-User': name,
      'X-Auth-Key': password,
    },
  }));
}

/** Replaces each table by a view without its columns, so that every statement fails. A missing table would mean 503. */
const BREAK_SCHEMA = `
  alter schema identity rename to identity_gone;
  create schema identity;
  do $body$
    declare name text;
    begin
      for name in select tablename from pg_tables where schemaname = 'identity_gone' loop
        execute format('create view identity.%I as select 1 as gone', name);
      end loop;
    end
  $body$;
  grant usage on schema identity to public;
  grant all on all tables in schema identity to public;`;

describe('500', () => {
  it.each(FORMATS)(
    'Identity s7: identityFault on every operation, without the cause (%s)',
    async (accept) => {
      await identity.db.raw(BREAK_SCHEMA);
      try {
        await identity.db.raw('notify zonewright_identity');
        await waitFor(async () => (await call(identity.url, requests()[0]!)).status === 500);
        for (const request of requests()) {
          if (request.isJson && accept === 'xml') continue;
          const answer = await call(identity.url, { ...request, accept });
          expect([request.method, request.path, answer.status]).toEqual([
            request.method,
            request.path,
            500,
          ]);
          expect(answer.text).not.toMatch(/relation|select|identity\.users/);
          if (request.method === 'HEAD' || request.path.startsWith('/v3')) continue;
          const { root, code, message } = await faultOf(answer);
          expect([root, code, message]).toEqual(['identityFault', 500, 'Internal server error']);
        }
      } finally {
        await identity.db.raw('drop schema identity cascade');
        await identity.db.raw('alter schema identity_gone rename to identity');
        await identity.db.raw('notify zonewright_identity');
      }
      await waitFor(
        async () => (await call(identity.url, { path: '/v2.0/tenants', token })).status === 200,
      );
    },
  );
});

async function expectUnavailable(url: string, request: Call): Promise<void> {
  const answer = await inTime(2_000, () => call(url, request));
  const { method, path } = request;
  expect([method, path, answer.status]).toEqual([method, path, 503]);
  expect(answer.headers['retry-after']).toMatch(/^\d+$/);
  if (method === 'HEAD' || path.startsWith('/v3')) return;
  expect(await faultOf(answer)).toMatchObject({ root: 'serviceUnavailable', code: 503 });
}

describe('503', () => {
  it('D-ID: every operation returns serviceUnavailable within 2 s while PostgreSQL is unavailable', async () => {
    const { proxy, url } = await startProxy(identity.databaseUrl);
    let running: RunningIdentity | undefined;
    try {
      running = await startIdentity(withRole(url, DATABASE_ROLES.identityService));
      await waitUntilReady(running);
      proxy.cut();
      for (const request of requests().flatMap((one) =>
        FORMATS.filter((accept) => accept === 'json' || !one.isJson).map((accept) => ({
          ...one,
          accept,
        })),
      )) {
        await expectUnavailable(running.url, request);
      }
      expect((await fetch(`${running.operationsUrl}/readyz`)).status).toBe(503);
      expect((await fetch(`${running.operationsUrl}/healthz`)).status).toBe(200);
      expect((await call(running.url, { path: '/' })).status).toBe(300);
      proxy.restore();
      const { url: address } = running;
      await waitFor(
        async () => (await call(address, { path: '/v2.0/tenants', token })).status === 200,
      );
    } finally {
      await running?.stop();
      await proxy.stop();
    }
  });

  it('D-ID: the same happens when the network to PostgreSQL is silent; cached responses end, too', async () => {
    const { proxy, url } = await startProxy(identity.databaseUrl);
    const running = await startIdentity(url);
    try {
      await waitUntilReady(running);
      expect((await call(running.url, { path: '/v2.0/tenants', token })).status).toBe(200);
      proxy.stall();
      await expectUnavailable(running.url, { path: '/v2.0/tenants', token });
      const validation = { path: `/v2.0/tokens/${token}`, token };
      await waitFor(async () => (await call(running.url, validation)).status === 503);
      proxy.restore();
      await waitFor(async () => (await call(running.url, validation)).status === 200);
    } finally {
      proxy.cut();
      await running.stop();
      await proxy.stop();
    }
  }, 40_000);

  it('without a signing key the service is not ready and answers 503', async () => {
    const { rows } = await identity.db.raw<{ rows: { id: string }[] }>(
      'update identity.signing_keys set is_primary = false where is_primary returning id',
    );
    const running = await startIdentity(identity.databaseUrl);
    try {
      expect((await fetch(`${running.operationsUrl}/readyz`)).status).toBe(503);
      expect((await call(running.url, { path: '/v2.0/tenants', token })).status).toBe(503);
      await identity.db.raw('update identity.signing_keys set is_primary = true where id = ?', [
        rows[0]!.id,
      ]);
      await waitUntilReady(running);
      expect((await call(running.url, { path: '/v2.0/tenants', token })).status).toBe(200);
    } finally {
      await running.stop();
    }
  });
});

describe('Refused before any operation', () => {
  it.each(FORMATS)('D-ID: an unknown path is 404 itemNotFound (%s)', async (accept) => {
    for (const path of ['/v2.0/nothing', '/v9', '/v2.0/EXT-IDM/v1.0/tokens', '/V2.0/tenants']) {
      const answer = await call(identity.url, { path, accept });
      expect([path, answer.status]).toEqual([path, 404]);
      expect(await faultOf(answer)).toMatchObject({ root: 'itemNotFound', code: 404 });
    }
  });

  it.each(FORMATS)(
    'D-ID: a method that a path does not support gets 405 with Allow (%s)',
    async (accept) => {
      const answer = await call(identity.url, { method: 'DELETE', path: '/v2.0/tenants', accept });
      expect(answer.headers['allow']).toBe('GET, HEAD');
      expect(await faultOf(answer)).toMatchObject({ root: 'badMethod', code: 405 });
      for (const { path } of ROUTES) {
        const known = ROUTES.filter((route) => route.path === path).map((route) => route.method);
        const method = known.includes('PATCH') ? 'PUT' : 'PATCH';
        const concrete = path.replaceAll(/\{\w+\}/g, 'x');
        const refused = await call(identity.url, { method, path: concrete });
        expect([path, refused.status]).toEqual([path, 405]);
      }
    },
  );

  it('D-REQ-9: an unacceptable format gets 406, q-values count, and */* means JSON', async () => {
    const typeFor = async (accept: string) => {
      const { status, headers } = await call(identity.url, {
        path: '/v2.0',
        headers: { Accept: accept },
      });
      return status === 200 ? headers['content-type'] : status;
    };
    expect(await typeFor('*/*')).toBe('application/json');
    expect(await typeFor('application/*')).toBe('application/json');
    expect(await typeFor('application/json;q=0.5, application/xml')).toBe('application/xml');
    expect(await typeFor('application/xml;q=0.1, application/json;q=0.2')).toBe('application/json');
    expect(await typeFor('application/json;q=0, */*')).toBe('application/xml');
    expect(await typeFor('text/html')).toBe(406);
    expect(await typeFor('text/html;application/json')).toBe(406);
    expect(await typeFor('application/json;q=0')).toBe(406);
  });

  it.each([
    ['', 'application/json'],
    ['application/json; charset=utf-8', 'application/json'],
    ['application/xml;charset=UTF-8;q=0.9, application/json;q=0.2', 'application/xml'],
    ['text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2', 'application/json'],
    ['text/xml', 'application/xml'],
    ['APPLICATION/XML', 'application/xml'],
    ['application/vnd.openstack.identity-v2.0+xml', 'application/xml'],
    ['application/vnd.openstack.identity-v3+json', 'application/json'],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'application/xml'],
  ])('D-REQ: Accept "%s" is answered as %s', async (accept, type) => {
    const answer = await call(identity.url, { path: '/v2.0', headers: { Accept: accept } });
    expect([answer.status, answer.headers['content-type']]).toEqual([200, type]);
  });

  it('D-REQ: bodies may have the types that GET / lists, or none', async () => {
    const { name, password } = identity.world.user;
    const json = JSON.stringify({
      auth: { passwordCredentials: { username: name, password } },
    });
    const xml = `<auth><passwordCredentials username="${name}" password="${password}"/></auth>`;
    const { versions } = (await call(identity.url, { path: '/' })).json as {
      versions: { values: { 'media-types': { base: string; type: string }[] }[] };
    };
    const types = versions.values.flatMap((version) => version['media-types']);
    expect(types).toHaveLength(4);
    for (const { base, type } of types) {
      const response = await fetch(`${identity.url}/v2.0/tokens`, {
        method: 'POST',
        headers: { 'Content-Type': type, Accept: type },
        body: base === 'application/xml' ? xml : json,
      });
      expect([response.status, response.headers.get('content-type')]).toEqual([200, base]);
    }
    const untyped = await fetch(`${identity.url}/v2.0/tokens`, {
      method: 'POST',
      body: Buffer.from(json),
    });
    expect(untyped.status).toBe(200);
  });

  it('D-REQ: an unknown query parameter is ignored', async () => {
    for (const path of ['/v2.0/tenants?x=1', '/v2.0/EXT-IDM/v1.0/accesskeys?newer=1', '/?_=1']) {
      expect((await call(identity.url, { path, token })).status).toBeLessThan(400);
    }
  });

  it('D-REQ: a request for an unsupported format is refused in JSON', async () => {
    const refused = await call(identity.url, { path: '/v2.0', headers: { Accept: 'text/html' } });
    expect(await faultOf(refused)).toMatchObject({ root: 'notAcceptable', code: 406 });
  });

  it.each(FORMATS)('D-REQ-10: an unknown request type is 415 (%s)', async (accept) => {
    for (const [type, remedy] of [
      ['text/plain', /must be application\/json or application\/xml/],
      ['application/x-www-form-urlencoded', /must be application\/json or application\/xml/],
      ['application/json; charset=ISO-8859-1', /must be UTF-8.*charset=iso-8859-1/],
    ] as const) {
      const answer = await call(identity.url, {
        method: 'POST',
        path: '/v2.0/tokens',
        accept,
        body: {},
        headers: { 'Content-Type': type },
      });
      const fault = await faultOf(answer);
      expect(fault).toMatchObject({ root: 'badMediaType', code: 415 });
      expect(fault.details).toMatch(remedy);
    }
  });

  it.each(FORMATS)(
    'D-REQ: a body over the limit gets 413, compressed or not (%s)',
    async (accept) => {
      const large = { auth: { padding: 'x'.repeat(300_000) } };
      const answer = await call(identity.url, {
        method: 'POST',
        path: '/v2.0/tokens',
        accept,
        body: large,
      });
      expect(await faultOf(answer)).toMatchObject({ root: 'overLimit', code: 413 });
      const response = await fetch(`${identity.url}/v2.0/tokens`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' },
        body: gzipSync(JSON.stringify(large)),
      });
      expect(response.status).toBe(413);
    },
  );

  it.each(FORMATS)('D-REQ-18: malformed bodies are 400 in the API form (%s)', async (accept) => {
    const deepJson = `${'{"a":'.repeat(70)}1${'}'.repeat(70)}`;
    const deepXml = `${'<a>'.repeat(70)}${'</a>'.repeat(70)}`;
    const cases: [string, string, RegExp][] = [
      ['application/json', '{"auth":', /not JSON/],
      ['application/json', '', /not JSON/],
      ['application/json', deepJson, /64 levels/],
      ['application/xml', '<auth>', /not XML/],
      ['application/xml', '', /not XML/],
      ['application/xml', '<auth/><auth/>', /not XML.*only one root/],
      ['application/xml', '<auth/>text', /not XML.*text data outside of root/],
      ['application/xml', '<?xml version="1.0" encoding="UTF-16"?><auth/>', /UTF-16/],
      ['application/xml', '<!DOCTYPE a [<!ENTITY b "c">]><auth>&b;</auth>', /DOCTYPE/],
      ['application/xml', deepXml, /64 levels/],
      ['application/xml', '<auth>&undefined;</auth>', /not XML/],
    ];
    for (const [type, text, details] of cases) {
      const answer = await call(identity.url, {
        method: 'POST',
        path: '/v2.0/tokens',
        accept,
        body: text,
        headers: { 'Content-Type': type },
      });
      const fault = await faultOf(answer);
      expect([text.slice(0, 50), fault.root, fault.code]).toEqual([
        text.slice(0, 50),
        'badRequest',
        400,
      ]);
      expect(fault.details).toMatch(details);
    }
  });

  it.each(['constructor', '__proto__', 'toString'])(
    'D-REQ: the request type %s is 415',
    async (type) => {
      const answer = await call(identity.url, {
        method: 'POST',
        path: '/v2.0/tokens',
        body: '{}',
        headers: { 'Content-Type': type },
      });
      expect(answer.status).toBe(415);
    },
  );

  it('names that every object inherits have no effect', async () => {
    for (const [type, text] of [
      ['application/json', '{"__proto__":{"auth":{"token":{"id":"x"}}},"constructor":{}}'],
      [
        'application/xml',
        '<auth><__proto__ polluted="1"/><constructor/><toString>x</toString></auth>',
      ],
    ] as const) {
      const answer = await call(identity.url, {
        method: 'POST',
        path: '/v2.0/tokens',
        body: text,
        headers: { 'Content-Type': type },
      });
      expect(answer.status).toBe(400);
    }
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it('D-REQ: a malformed URI is 400', async () => {
    const answer = await call(identity.url, { path: '/v2.0/tokens/%zz', token });
    expect(await faultOf(answer)).toMatchObject({ root: 'badRequest', code: 400 });
  });

  it('D-REQ-17: a request that does not arrive in time gets 408 in the API form', async () => {
    const { hostname, port } = new URL(identity.url);
    const socket = connect(Number(port), hostname);
    let received = '';
    socket.on('data', (chunk: Buffer) => (received += chunk.toString()));
    socket.write('POST /v2.0/tokens HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n{');
    await waitFor(() => received.includes('requestTimeout'), 40_000);
    expect(received).toMatch(/^HTTP\/1\.1 408 /);
    socket.destroy();
  }, 60_000);

  it.each(['HELLO\r\n\r\n', 'GET /v2.0 HTTP/1.1\r\n\r\n'])(
    'D-REQ-20: data that is not HTTP gets 400 in the API form: %j',
    async (text) => {
      const { hostname, port } = new URL(identity.url);
      const socket = connect(Number(port), hostname);
      let received = '';
      socket.on('data', (chunk: Buffer) => (received += chunk.toString()));
      socket.write(text);
      await waitFor(() => received.endsWith('}'));
      expect(received).toMatch(/^HTTP\/1\.1 400 .*application\/json.*X-Openstack-Request-Id/s);
      expect(received).toContain('badRequest');
      socket.destroy();
    },
  );

  it.each(['/v2.0/tenants', '/v3/auth/projects'])(
    'RFC 9110 s15.5.2: a 401 of %s has a challenge',
    async (path) => {
      const response = await fetch(`${identity.url}${path}`);
      expect(response.status).toBe(401);
      expect(response.headers.get('www-authenticate')).toBe('Keystone');
    },
  );

  it.each([
    ['characters that XML must escape', 'a\u0001<&"', 'unauthorized'],
    ['half a surrogate pair', 'a\ud800', 'badRequest'],
  ])('an XML fault is well-formed regardless of the request: %s', async (_, username, root) => {
    const answer = await call(identity.url, {
      method: 'POST',
      path: '/v2.0/tokens',
      accept: 'xml',
      body: { auth: { passwordCredentials: { username, password: 'x' } } },
    });
    expect((await parseXml(answer.text)).name).toBe(root);
  });
});
