import type { Route } from './http/route.js';
import { ROUTES } from './routes.js';

interface DirectRoute {
  readonly route: Route;
  readonly params: Readonly<Record<string, string>>;
}

const VALIDATE = rowOf('GET', '/v2.0/tokens/{tokenId}');
const VALIDATE_V3 = rowOf('GET', '/v3/auth/tokens');
const LOGINS = new Map(
  ['/v2.0/tokens', '/v3/auth/tokens'].map((path) => [
    path,
    { route: rowOf('POST', path), params: {} },
  ]),
);
/** Nothing to decode, no further segment, no query: what is more than that, Express takes apart. */
const VALIDATE_TARGET = /^\/v2\.0\/tokens\/([\w.=-]+)$/;

/**
 * Rows that are found without Express, which would cost more than all the rest of a validation: each service asks for each
 * of its own requests (design 6), and programs log in as often. Only the way to the row of the route table is shorter;
 * the row is the same.
 */
export function findDirectRoute(
  method: string | undefined,
  target: string,
): DirectRoute | undefined {
  if (method === 'POST') return LOGINS.get(target);
  if (method !== 'GET') return undefined;
  if (target === VALIDATE_V3.path) return { route: VALIDATE_V3, params: {} };
  const tokenId = VALIDATE_TARGET.exec(target)?.[1];
  return tokenId === undefined ? undefined : { route: VALIDATE, params: { tokenId } };
}

function rowOf(method: Route['method'], path: string): Route {
  const row = ROUTES.find((route) => route.method === method && route.path === path);
  if (row === undefined) throw new Error(`the route table has no ${method} ${path}`);
  return row;
}
