import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  type AccessKey,
  type Account,
  findAccessKey,
  findOwner,
  listAccessKeys as selectAccessKeys,
  listLastUses,
  notFound,
} from '@zonewright/accounts';
import type { Context } from '../context/context.js';
import { readParameter } from '../http/parameter.js';
import { readLimit } from '../http/read-limit.js';
import type { ApiRequest, ApiResponse, Caller } from '../http/route.js';
import { represent } from '@zonewright/http-api';
import { readExport, readExtended, readStates, readUserId } from './read-query.js';
import { ACCESS_KEYS, type ShownAccessKey } from '../representation/render-access-key.js';
import { exportAccessKey, showAccessKey } from './show-access-key.js';

/** Without a word about it a list holds all that one may have by default. */
const LIMIT = { default: 250, maximum: 250 };
/** Others get a turn after as many, since each secret has to be opened. */
const SHOWN_AT_A_TIME = 25;

/** GET .../accesskeys: Get Access Keys (Identity s4). */
export async function listAccessKeys(
  context: Context,
  request: ApiRequest,
  caller: Caller,
): Promise<ApiResponse> {
  const isExport = readExport(request);
  const isExtended = readExtended(request);
  const owner = await findOwner(context.directory, caller.account, readUserId(request));
  const { keys, next } = await findPage(context, request, owner);
  if (isExport) {
    const accessKeyIds = keys.map((key) => key.id);
    context.log.info(
      {
        requestId: request.requestId,
        exportedBy: caller.account.id,
        ownerId: owner.id,
        accessKeyIds,
      },
      'access keys exported',
    );
  }
  const shown = await show(context, keys, isExport);
  const body = represent(ACCESS_KEYS, isExtended ? await addUses(context, shown) : shown);
  return { status: 200, body, headers: next === undefined ? {} : { Link: next } };
}

interface Page {
  readonly keys: readonly AccessKey[];
  /** The Link (RFC 8288) to the page behind it. */
  readonly next: string | undefined;
}

async function findPage(context: Context, request: ApiRequest, owner: Account): Promise<Page> {
  const { db, clock } = context;
  const { query } = request;
  const states = readStates(request);
  const limit = readLimit(query, LIMIT);
  const after = readParameter(query, 'marker');
  if (after !== undefined && (await findAccessKey(db, after))?.userId !== owner.id) {
    throw notFound('Marker in request not found');
  }
  const keys = await selectAccessKeys(db, {
    userId: owner.id,
    accountDomainId: readParameter(query, 'domainId'),
    states,
    now: new Date(clock.now()),
    after,
    limit: limit + 1,
  });
  if (keys.length <= limit) return { keys, next: undefined };
  const page = keys.slice(0, limit);
  return { keys: page, next: linkToNext(request, page.at(-1)?.id ?? '') };
}

function linkToNext({ baseUrl, path, query }: ApiRequest, marker: string): string {
  const parameters = new URLSearchParams(query);
  parameters.set('marker', marker);
  return `<${baseUrl}${path}?${parameters.toString()}>; rel="next"`;
}

async function show(
  context: Context,
  keys: readonly AccessKey[],
  isExport: boolean,
): Promise<ShownAccessKey[]> {
  const shown: ShownAccessKey[] = [];
  for (const key of keys) {
    if (shown.length % SHOWN_AT_A_TIME === 0 && shown.length > 0) await nextTurn();
    shown.push(isExport ? exportAccessKey(context, key) : showAccessKey(context, key));
  }
  return shown;
}

async function addUses(
  { db }: Context,
  shown: readonly ShownAccessKey[],
): Promise<ShownAccessKey[]> {
  const ids = shown.map(({ key }) => key.id);
  const uses = await listLastUses(db, ids);
  return shown.map((each) => ({ ...each, lastUsedAt: uses.get(each.key.id) ?? null }));
}
