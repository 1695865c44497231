import { describe, expect, it } from '@jest/globals';
import { OperationFinder } from './find-operation.js';
import type { Method, Operation } from './operation.js';

const operation = (id: string, method: Method, path: string): Operation => ({
  id,
  name: id,
  method,
  path,
  access: 'public',
});

const finder = new OperationFinder([
  operation('list', 'GET', '/things'),
  operation('create', 'POST', '/things'),
  operation('get', 'GET', '/things/{thingId}'),
  operation('check', 'HEAD', '/things/{thingId}'),
  operation('delete', 'DELETE', '/things/{thingId}'),
  operation('import', 'POST', '/things/import'),
  operation('getPart', 'GET', '/things/{thingId}/parts/{partId}'),
]);

describe('OperationFinder', () => {
  it.each<[string, string, string, Record<string, string>]>([
    ['GET', '/things', 'list', {}],
    ['POST', '/things', 'create', {}],
    ['GET', '/things/1', 'get', { thingId: '1' }],
    ['HEAD', '/things/1', 'check', { thingId: '1' }],
    ['GET', '/things/a%2Fb', 'get', { thingId: 'a/b' }],
    ['GET', '/things/1/parts/2', 'getPart', { thingId: '1', partId: '2' }],
  ])('%s %s is %s', (method, path, id, params) => {
    const found = finder.find(method, path);
    expect([found.operation.id, found.params]).toEqual([id, params]);
  });

  it('RFC 9110 s9.3.2: what answers GET answers HEAD', () => {
    expect(finder.find('HEAD', '/things').operation.id).toBe('list');
  });

  it('a path without parameters comes before one with', () => {
    expect(finder.find('POST', '/things/import').operation.id).toBe('import');
  });

  it.each([
    ['PUT', '/things', ['GET', 'POST', 'HEAD']],
    ['OPTIONS', '/things/1', ['GET', 'HEAD', 'DELETE']],
    ['GET', '/things/import', ['POST']],
  ])('RFC 9110 s15.5.6: %s %s is refused with what is allowed', (method, path, offered) => {
    expect(() => finder.find(method, path)).toThrow(
      expect.objectContaining({ status: 405, facts: { offered, given: method } }),
    );
  });

  it.each(['/', '/Things', '/things/', '/things/1/parts', '/things//parts/2'])(
    'RFC 3986 s6.2.2.1: %s is no path of these',
    (path) => {
      expect(() => finder.find('GET', path)).toThrow(expect.objectContaining({ status: 404 }));
    },
  );

  it('RFC 3986 s2.1: a path that is not percent-encoded is refused', () => {
    expect(() => finder.find('GET', '/things/%zz')).toThrow(
      expect.objectContaining({ status: 400, code: 'path-not-encoded' }),
    );
  });
});
