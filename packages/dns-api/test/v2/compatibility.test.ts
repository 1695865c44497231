import { describe, expect, it } from '@jest/globals';
import { readOperations, withoutNames } from '@zonewright/testkit';
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { OPERATIONS } from '../../src/operations.js';
import { DECLINED_OPERATIONS } from '../../src/v2/operations.js';
import { createDomain } from '../support/fixtures.js';
import { useApi } from '../support/use-api.js';

const api = useApi();
const PAGE = new URL('../../../../docs/reference/compatibility.md', import.meta.url);
const listed = readOperations(readFileSync(PAGE, 'utf8'), '/v2');
const nameOf = ({ method, path }: { readonly method: string; readonly path: string }) =>
  `${method} ${withoutNames(path)}`;
const offered = listed.filter(({ refusal }) => refusal === undefined);
const refused = listed.filter(({ refusal }) => refusal !== undefined);

describe('The table of operations of Designate v2', () => {
  it('has each operation once', () => {
    const declined = new Set(DECLINED_OPERATIONS.map(nameOf));
    const ours = OPERATIONS.filter(({ path }) => path.startsWith('/v2'))
      .map(nameOf)
      .filter((name) => !declined.has(name));
    expect(offered.map(nameOf).toSorted()).toEqual(ours.toSorted());
  });

  it.each(listed)('$method $path: has a test', ({ test }) => {
    expect(existsSync(new URL(test, PAGE))).toBe(true);
  });

  it.each(refused)('$method $path is answered with $refusal', async (operation) => {
    const { id } = await createDomain(api);
    const path = operation.path.replace('zones/{}', `zones/${id}`).replaceAll('{}', randomUUID());
    const method = operation.method.toLowerCase() as 'get' | 'post' | 'patch' | 'delete';
    const token = path.includes(id) ? 'token-a' : 'token-operator';
    expect((await api.callAs(token, method, path)).status).toBe(operation.refusal);
  });
});
