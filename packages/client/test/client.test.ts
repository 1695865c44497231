import { describe, expect, it } from '@jest/globals';
import {
  ApiError,
  Client,
  NotFoundError,
  UnknownOutcomeError,
  UnreachableError,
  UsageError,
} from '../src/index.js';

type Handler = (request: Request, count: number) => Response | Promise<Response>;

const access = (token: string) => ({
  access: {
    token: { id: token, expires: '2099-01-01T00:00:00.000Z', tenant: { id: '1', name: 'demo' } },
    user: { id: '2', name: 'alice', otherAttributes: {}, roles: [] },
    serviceCatalog: [
      { name: 'DNS', type: 'ext:dns', endpoints: [{ publicURL: 'http://dns.test/v1/' }] },
    ],
  },
});

/** Returns a client whose requests to the DNS API are answered by a function; log-ins always succeed. */
function clientWith(handler: Handler, deadlineMs = 5_000) {
  const requests: Request[] = [];
  let logIns = 0;
  const client = new Client({
    identityUrl: 'http://identity.test/v3/',
    auth: { username: 'alice', password: 'geheim' },
    deadlineMs,
    fetch: async (url, init) => {
      const request = new Request(url, init);
      if (request.url.startsWith('http://identity.test')) {
        logIns += 1;
        return Response.json(access(`token-${logIns}`));
      }
      requests.push(request);
      return await handler(request, requests.length);
    },
  });
  return { client, requests, logIns: () => logIns };
}

const cut = () => {
  throw new TypeError('fetch failed', { cause: new Error('other side closed') });
};
const refusal = (status: number, headers = {}) =>
  Response.json(
    { code: status, type: 'sort', message: 'no', errors: [{ path: 'name', message: 'bad' }] },
    { status, headers },
  );
const ID = '5d3c1a52-6f0e-4a53-9c0e-0f5b7f3f8a11';
const DOMAIN = { id: ID, name: 'example.com.', email: 'a@example.com', ttl: 60 };

describe('Client', () => {
  it('logs in once for many calls, and finds the DNS API in the catalog', async () => {
    const { client, requests, logIns } = clientWith(() => Response.json(DOMAIN));
    await Promise.all(Array.from({ length: 20 }, () => client.domains.get(ID)));
    expect(logIns()).toBe(1);
    expect(requests[0]?.url).toBe(`http://dns.test/v1/domains/${ID}`);
    expect(requests[0]?.headers.get('x-auth-token')).toBe('token-1');
  });

  it('logs in once more after a 401, and only once', async () => {
    const once = clientWith((_request, count) =>
      count === 1 ? refusal(401) : Response.json(DOMAIN),
    );
    expect((await once.client.domains.get(ID)).value.name).toBe('example.com.');
    expect(once.logIns()).toBe(2);
    const always = clientWith(() => refusal(401));
    await expect(always.client.domains.get(ID)).rejects.toMatchObject({ status: 401 });
    expect(always.logIns()).toBe(2);
  });

  it('repeats a POST whose response was lost with the same Idempotency-Key', async () => {
    const { client, requests } = clientWith((_request, count) =>
      count < 3 ? cut() : Response.json(DOMAIN, { headers: { 'x-zonewright-serial': '7' } }),
    );
    const made = await client.domains.create({ name: 'example.com.', email: 'a@example.com' });
    expect(made).toMatchObject({ value: DOMAIN, serial: 7 });
    const keys = requests.map(({ headers }) => headers.get('idempotency-key'));
    expect(keys).toHaveLength(3);
    expect(new Set(keys).size).toBe(1);
  });

  it('treats a deletion that finds nothing as done only after a lost response', async () => {
    const lost = clientWith((_request, count) => (count === 1 ? cut() : refusal(404)));
    await expect(lost.client.domains.delete(ID)).resolves.toBeDefined();
    const never = clientWith(() => refusal(404));
    await expect(never.client.domains.delete(ID)).rejects.toMatchObject({ status: 404 });
  });

  it('looks up an update that no longer matches after a lost response', async () => {
    const update = (now: object) =>
      clientWith((request, count) => {
        if (request.method === 'GET') return Response.json({ ...DOMAIN, ...now });
        return count === 1 ? cut() : refusal(412);
      }).client.domains.update(ID, { ttl: 99 }, { ifMatch: '"1"' });
    expect((await update({ ttl: 99 })).value.ttl).toBe(99);
    await expect(update({ ttl: 60 })).rejects.toMatchObject({ status: 412 });
  });

  it('reports an unknown outcome for a write, and no response for a read', async () => {
    const { client } = clientWith(cut, 1_000);
    await expect(client.domains.delete(ID)).rejects.toBeInstanceOf(UnknownOutcomeError);
    await expect(client.domains.get(ID)).rejects.toBeInstanceOf(UnreachableError);
    await expect(client.domains.get(ID)).rejects.toThrow(
      'http://dns.test does not respond (other side closed)',
    );
  });

  it('sends the creation of an access key only once, because its secret cannot be read again', async () => {
    let count = 0;
    const client = new Client({
      identityUrl: 'http://identity.test',
      auth: { accessKeyId: 'K', secretKey: 'S' },
      fetch: (url) => {
        if (new Request(url).url.endsWith('/tokens'))
          return Promise.resolve(Response.json(access('t')));
        count += 1;
        return Promise.reject(new TypeError('fetch failed'));
      },
    });
    await expect(client.keys.create({ otherAttributes: {} })).rejects.toBeInstanceOf(
      UnknownOutcomeError,
    );
    expect(count).toBe(1);
  });

  it('provides all details of an error response', async () => {
    const { client } = clientWith(() => refusal(400, { 'x-openstack-request-id': 'req-1' }));
    const error = (await client.domains.get(ID).catch((reason: unknown) => reason)) as ApiError;
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ status: 400, type: 'sort', requestId: 'req-1' });
    expect(error.problems).toEqual([{ path: 'name', message: 'bad' }]);
  });

  it("distinguishes a proxy's response from one of the service", async () => {
    const { client } = clientWith(() => new Response('<html>'));
    await expect(client.domains.get(ID)).rejects.toBeInstanceOf(UsageError);
  });

  it('finds a domain by name, with or without the trailing dot', async () => {
    const { client, requests } = clientWith((request) =>
      request.url.includes('name=example.com.')
        ? Response.json({ domains: [DOMAIN] })
        : request.url.includes('?')
          ? Response.json({ domains: [] })
          : Response.json(DOMAIN),
    );
    expect((await client.domains.get('example.com')).value.id).toBe(ID);
    expect(requests.at(-1)?.url).toBe(`http://dns.test/v1/domains/${ID}`);
    await expect(client.domains.get('example.net')).rejects.toBeInstanceOf(NotFoundError);
  });

  it('requests a page only when the one before it has been read', async () => {
    const page = (from: number) =>
      Array.from({ length: 1000 }, (_, index) => ({ ...DOMAIN, id: String(from + index) }));
    const { client, requests } = clientWith((request) => {
      const marker = new URL(request.url).searchParams.get('marker');
      const from = marker === null ? 0 : Number(marker) + 1;
      return Response.json({ domains: from < 2000 ? page(from) : [] });
    });
    const ids: string[] = [];
    for await (const { id } of client.domains.list()) ids.push(id);
    expect(new Set(ids).size).toBe(2000);
    expect(requests).toHaveLength(3);
    for await (const { id } of client.domains.list()) if (id === '5') break;
    expect(requests).toHaveLength(4);
  });

  it('stops at once when its signal is aborted, also while it waits for a retry', async () => {
    const { client } = clientWith(() => refusal(503, { 'retry-after': '3' }));
    const signal = AbortSignal.timeout(50);
    await expect(client.domains.get(ID, { signal })).rejects.toMatchObject({
      name: 'TimeoutError',
    });
  });

  it('events continue after the last one when the connection is cut', async () => {
    const change = (serial: number, id: string) =>
      `id: ${id}\nevent: change\ndata: {"serial_after":${serial}}\n\n`;
    const answers = [
      () => new Response(`id: 1:1:\n\n${change(1, '2:2:')}event: ch`),
      () => refusal(503),
      () => new Response(change(2, '3:3:')),
      () => new Response('event: gap\ndata: {}\n\nevent: unknown\ndata: {}\n\n'),
      () => refusal(403),
    ];
    const { client, requests } = clientWith((_request, count) => answers[count - 1]!());
    const heard: unknown[] = [];
    const listening = async () => {
      for await (const each of client.events()) heard.push(each);
    };
    await expect(listening()).rejects.toMatchObject({ status: 403 });
    expect(heard).toEqual([
      { event: 'listening' },
      { event: 'change', data: { serial_after: 1 } },
      { event: 'change', data: { serial_after: 2 } },
      { event: 'gap' },
    ]);
    expect(requests.map(({ headers }) => headers.get('last-event-id'))).toEqual([
      null,
      '2:2:',
      '2:2:',
      '3:3:',
      '3:3:',
    ]);
  });

  it('events stop with the signal of the caller', async () => {
    const { client } = clientWith(() => new Response(new ReadableStream()));
    const stop = new AbortController();
    const next = client.events({ signal: stop.signal }).next();
    stop.abort(new Error('enough'));
    await expect(next).rejects.toThrow('enough');
  });

  it('follows the pages of a search by their links, and sends a note in UTF-8', async () => {
    const { client, requests } = clientWith((request, count) => {
      if (request.method === 'PUT') return Response.json(DOMAIN);
      const link = '<http://dns.test/v1/search?q=a&limit=1000&marker=m%201>; rel="next"';
      const body = { domains: [], records: [{ id: String(count) }] };
      return Response.json(body, count === 1 ? { headers: { link } } : {});
    });
    const found = [];
    for await (const { id } of client.findRecords({ text: 'a&b', type: 'TXT' })) found.push(id);
    expect(found).toEqual(['1', '2']);
    expect(requests.map(({ url }) => new URL(url).searchParams.get('q'))).toEqual(['a&b', 'a&b']);
    expect(new URL(requests[1]!.url).searchParams.get('marker')).toBe('m 1');
    await client.domains.update(ID, { ttl: 60 }, { note: 'Köln' });
    const octets = Buffer.from(requests[2]!.headers.get('x-zonewright-note') ?? '', 'latin1');
    expect(octets.toString('utf8')).toBe('Köln');
    await expect(client.domains.update(ID, { ttl: 60 }, { note: 'a\nb' })).rejects.toThrow(
      UsageError,
    );
  });
});
