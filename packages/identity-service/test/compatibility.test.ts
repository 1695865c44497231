import { beforeAll, describe, expect, it } from '@jest/globals';
import { newId, readOperations, withoutNames } from '@zonewright/testkit';
import { existsSync, readFileSync } from 'node:fs';
import { ROUTES } from '../src/routes.js';
import { insertOperator } from './administration-calls.js';
import { type Call, call, tokenOf } from './client.js';
import { useIdentity } from './use-identity.js';

const identity = useIdentity();
const PAGE = new URL('../../../docs/reference/compatibility.md', import.meta.url);
const listed = readOperations(readFileSync(PAGE, 'utf8'), '/v3');
const nameOf = ({ method, path }: { readonly method: string; readonly path: string }) =>
  `${method} ${withoutNames(path)}`;
const offered = listed.filter(({ refusal }) => refusal === undefined);
const refused = listed.filter(({ refusal }) => refusal !== undefined);
let token = '';

beforeAll(async () => {
  token = await tokenOf(identity.url, await insertOperator(identity));
});

describe('The table of operations of Keystone v3', () => {
  it('has each operation once', () => {
    const ours = ROUTES.filter(
      ({ path }) => path.startsWith('/v3') && !path.startsWith('/v3/internal/'),
    ).map(nameOf);
    expect(offered.map(nameOf).toSorted()).toEqual(ours.toSorted());
  });

  it.each(listed)('$method $path: has a test', ({ test }) => {
    expect(existsSync(new URL(test, PAGE))).toBe(true);
  });

  it.each(refused)('$method $path: is answered with $refusal', async (operation) => {
    const method = operation.method as NonNullable<Call['method']>;
    const path = operation.path.replaceAll('{}', newId());
    const answer = await call(identity.url, { method, path, token });
    expect(answer.status).toBe(operation.refusal);
  });
});
