import { describe, expect, it } from '@jest/globals';
import { at, call, childrenOf, faultOf, FORMATS, parseXml } from './client.js';
import { useIdentity } from './use-identity.js';

const identity = useIdentity();

interface VersionJson {
  readonly id: string;
  readonly status: string;
  readonly updated: string;
  readonly 'media-types': readonly unknown[];
  readonly links: readonly { readonly rel: string; readonly href: string }[];
}

describe('Versions', () => {
  it('D-ID-40: GET / returns 300 with v2.0 and v3, without a token', async () => {
    const answer = await call(identity.url, { path: '/' });
    expect(answer.status).toBe(300);
    const { values } = (answer.json as { versions: { values: VersionJson[] } }).versions;
    expect(values.map(({ id, status }) => [id, status])).toEqual([
      ['v2.0', 'CURRENT'],
      ['v3', 'CURRENT'],
    ]);
    expect(values.map(({ links }) => links)).toEqual([
      [{ rel: 'self', href: `${identity.url}/v2.0/` }],
      [{ rel: 'self', href: `${identity.url}/v3/` }],
    ]);
  });

  it.each([
    ['/v2.0', 'v2.0', 'http://docs.openstack.org/identity/api/v2.0'],
    ['/v2.0/', 'v2.0', 'http://docs.openstack.org/identity/api/v2.0'],
    ['/v3', 'v3', 'http://docs.openstack.org/identity/api/v3'],
  ])('D-ID: GET %s describes %s', async (path, id, namespace) => {
    const answer = await call(identity.url, { path });
    expect(answer.status).toBe(200);
    expect((answer.json as { version: VersionJson }).version).toMatchObject({
      id,
      status: 'CURRENT',
      'media-types': [{ base: 'application/json' }, { base: 'application/xml' }],
    });
    const root = await parseXml((await call(identity.url, { path, accept: 'xml' })).text);
    expect(root).toMatchObject({ name: 'version', namespace, attributes: { id } });
    expect(at(root, 'link')?.attributes['rel']).toBe('self');
  });

  it('D-ID: GET / returns XML', async () => {
    const answer = await call(identity.url, { path: '/', accept: 'xml' });
    const versions = childrenOf(await parseXml(answer.text), 'version');
    expect(versions.map(({ attributes }) => attributes['id'])).toEqual(['v2.0', 'v3']);
    expect(childrenOf(at(versions[0]!, 'media-types'), 'media-type')).toHaveLength(2);
  });
});

describe('Extensions', () => {
  it('D-ID-1: the extension is available under each of its path segments', async () => {
    const answer = await call(identity.url, { path: '/v2.0/extensions' });
    const { values } = (answer.json as { extensions: { values: { alias: string }[] } }).extensions;
    expect(values.map(({ alias }) => alias)).toEqual(['EXT-IDM', 'HP-IDM']);
    const xml = await parseXml(
      (await call(identity.url, { path: '/v2.0/extensions', accept: 'xml' })).text,
    );
    expect(childrenOf(xml, 'extension')).toHaveLength(2);
  });

  it('D-ID-1: the extension has name, namespace, alias, updated, description and links', async () => {
    const path = '/v2.0/extensions/EXT-IDM';
    const answer = await call(identity.url, { path });
    expect((answer.json as { extension: object }).extension).toEqual({
      name: expect.any(String) as unknown,
      namespace: 'http://docs.openstack.org/identity/api/ext/hp/v1.0',
      alias: 'EXT-IDM',
      updated: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) as unknown,
      description: expect.any(String) as unknown,
      links: [{ rel: 'self', href: `${identity.url}${path}` }],
    });
    const xml = await parseXml((await call(identity.url, { path, accept: 'xml' })).text);
    expect(xml.attributes['alias']).toBe('EXT-IDM');
    expect(at(xml, 'description')?.text).not.toBe('');
  });

  it.each(FORMATS)('D-ID: an unknown extension gets 404 (%s)', async (accept) => {
    const answer = await call(identity.url, { path: '/v2.0/extensions/NONE', accept });
    expect(await faultOf(answer)).toMatchObject({ root: 'itemNotFound', code: 404 });
  });
});
