import { Refusal, type Reply } from '@zonewright/http-api';
import { type ErrorKind, ServiceError } from '@zonewright/service-kit';
import type { ZoneRecord } from '@zonewright/zones';
import { isIP } from 'node:net';
import type { Context } from '../context/context.js';
import { toErrorAnswer } from '../settings/errors.js';
import type { TenantRequest } from '../http/operation.js';
import { DRY_RUN } from '../http/read-query.js';
import type { StoredReply } from '../http/reply.js';
import {
  addition,
  changeName,
  deletion,
  hasRdata,
  readWholeName,
  TTL_SECONDS,
} from './change-name.js';

/** The limit of dyndns.org. */
const MAX_HOSTS = 20;
/** The limit of addresses, although one of each family would be enough. */
const MAX_ADDRESSES = 8;

/** The return code for a host, by kind of error. Other errors concern the whole request. */
const WORDS: Readonly<Partial<Record<ErrorKind, string>>> = {
  'not-found': 'nohost',
  // A caller without access to a host must not learn whether it exists.
  forbidden: 'nohost',
  conflict: 'dnserr',
  invalid: 'dnserr',
  'over-quota': 'dnserr',
};

interface Addresses {
  readonly A: readonly string[];
  readonly AAAA: readonly string[];
}

/**
 * GET /nic/update of dyndns2: sets the addresses of hosts to `myip` and `myipv6`, which default to the source address.
 * Address families that the request does not name are unchanged. The response has a line for each host, in order.
 *
 * @see https://help.dyn.com/remote-access-api/
 */
export async function updateHosts(context: Context, request: TenantRequest): Promise<StoredReply> {
  const { method, query } = request;
  // Other operations answer HEAD like GET, but this one would change records.
  if (method !== 'GET')
    throw new Refusal('method-not-allowed', { offered: ['GET'], given: method });
  // Unknown parameters are ignored, since clients send many. A dry run must not be ignored.
  if (query.has(DRY_RUN)) return textReply(['badagent']);
  const hosts = listOf(query, 'hostname');
  if (hosts.length > MAX_HOSTS) return textReply(['numhost']);
  if (hosts.length === 0) return textReply(['notfqdn']);
  const addresses = readAddresses(request);
  const lines: string[] = [];
  for (const host of hosts) lines.push(await updateHost(context, request, host, addresses));
  request.audit({ hosts: hosts.length, answers: lines.map((line) => line.split(' ')[0]) });
  return textReply(lines);
}

async function updateHost(
  context: Context,
  request: TenantRequest,
  host: string,
  addresses: Addresses | undefined,
): Promise<string> {
  const name = readWholeName(host);
  if (name === undefined || name.indexOf('.') === name.length - 1) return 'notfqdn';
  if (addresses === undefined) return 'dnserr';
  try {
    const isChanged = await changeName(context, request, {
      name,
      plan: (there, zone) =>
        (['A', 'AAAA'] as const).flatMap((type) => {
          const those = there.filter((each) => each.type === type);
          return planFamily(those, type, addresses[type], { name, zoneTtl: zone.ttl });
        }),
    });
    const shown = [...addresses.A, ...addresses.AAAA].join(',');
    return `${isChanged ? 'good' : 'nochg'} ${shown}`;
  } catch (error) {
    const word = error instanceof ServiceError ? WORDS[error.kind] : undefined;
    if (word === undefined) throw error;
    return word;
  }
}

/** Plans the records of one address family. An existing name keeps the TTL that its owner chose. */
function planFamily(
  there: readonly ZoneRecord[],
  type: keyof Addresses,
  addresses: readonly string[],
  { name, zoneTtl }: { readonly name: string; readonly zoneTtl: number },
) {
  if (addresses.length === 0) return [];
  const [first] = there;
  const ttl = first === undefined ? TTL_SECONDS : (first.ttl ?? zoneTtl);
  const wanted = addresses.map((address) => addition(name, type, address, ttl));
  const gone = there.filter((each) => !wanted.some((other) => hasRdata(each, other)));
  return [...gone.map((each) => deletion(each, type)), ...wanted];
}

/** Returns undefined if a given address is invalid. */
function readAddresses({ query, sourceAddress }: TenantRequest): Addresses | undefined {
  const said = [...listOf(query, 'myip'), ...listOf(query, 'myipv6')];
  const addresses = [...new Set(said.length === 0 ? [sourceAddress] : said)];
  if (addresses.length > MAX_ADDRESSES) return undefined;
  if (addresses.some((address) => isIP(address) === 0 || address.includes('%'))) return undefined;
  return {
    A: addresses.filter((address) => isIP(address) === 4),
    AAAA: addresses.filter((address) => isIP(address) === 6),
  };
}

function listOf(query: URLSearchParams, name: string): string[] {
  const items = query.getAll(name).join(',').split(',');
  return items.map((item) => item.trim()).filter((item) => item !== '');
}

function textReply(lines: readonly string[], status = 200): StoredReply {
  const headers = { 'Content-Type': 'text/plain; charset=utf-8' };
  return { status, headers, body: `${lines.join('\n')}\n` };
}

const CHALLENGE = { 'WWW-Authenticate': 'Basic realm="Zonewright", charset="UTF-8"' };

/** Renders an error of the whole request. Clients read return codes only from a 200. Other errors keep their status. */
export function renderDyndnsError(error: unknown, requestId: string): Reply {
  const { status, headers } = toErrorAnswer(error, requestId);
  if (status === 401 || status === 403) {
    const reply = textReply(['badauth'], 401);
    return { ...reply, headers: { ...reply.headers, ...CHALLENGE } };
  }
  const isOurs = status >= 500;
  const word = isOurs ? '911' : status === 429 ? 'abuse' : 'badagent';
  const reply = textReply([word], isOurs || status === 405 ? status : 200);
  const { 'Retry-After': retryAfter, Allow: allow } = headers;
  return {
    ...reply,
    headers: {
      ...reply.headers,
      ...(retryAfter === undefined ? {} : { 'Retry-After': retryAfter }),
      ...(allow === undefined ? {} : { Allow: allow }),
    },
  };
}
