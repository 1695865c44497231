import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  ACCESS_KEY_STATES,
  type AccessKey,
  type AccessKeyState,
  accessKeyStateOf,
  type Account,
  findAccessKey,
  findOwner,
  getOwnedAccessKey,
  invalidRequest,
  listAccessKeys as selectAccessKeys,
  listLastUses,
  notFound,
  openAccessKeySecret,
} from '@zonewright/accounts';
import { represent } from '@zonewright/http-api';
import type { Context } from '../context/context.js';
import { readLimit, readParameter } from '../http/parameters.js';
import type { ApiRequest, ApiResponse, Caller } from '../http/route.js';
import { ACCESS_KEY, ACCESS_KEYS, type AccessKeyView } from '../representation/access-key.js';

/** GET .../accesskeys/{accesskeyId}: Get An Access Key (Identity s4). */
export async function getAccessKey(
  context: Context,
  request: ApiRequest,
  caller: Caller,
): Promise<ApiResponse> {
  const isExport = readExport(request);
  const key = await getNamedAccessKey(context, request, caller);
  const shown = isExport ? exportAccessKey(context, key) : showAccessKey(context, key);
  if (isExport) {
    context.log.info(
      {
        requestId: request.requestId,
        exportedBy: caller.account.id,
        ownerId: key.userId,
        accessKeyId: key.id,
      },
      'access key exported',
    );
  }
  return { status: 200, body: represent(ACCESS_KEY, shown) };
}

/**
 * Returns the key of a request's path and userId.
 *
 * @throws ServiceError not-found if it is unknown, deleted, or owned by a user who was not named
 */
export async function getNamedAccessKey(
  context: Context,
  request: ApiRequest,
  caller: Caller,
): Promise<AccessKey> {
  const key = await getEvenDeletedAccessKey(context, request, caller);
  if (key.status === 'deleted') throw notFound('access key not found');
  return key;
}

/** Returns a key like getNamedAccessKey, including deleted keys, since lists contain them. */
export async function getEvenDeletedAccessKey(
  context: Context,
  request: ApiRequest,
  caller: Caller,
): Promise<AccessKey> {
  const id = request.params['accesskeyId'] ?? '';
  return await getOwnedAccessKey(context, caller.account, { id, userId: readUserId(request) });
}

/** Page size. The default has room for all keys that a user may have. */
const LIMIT = { default: 250, maximum: 250 };
/** Number of secrets between pauses, in which other requests are served. */
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
  /** URL of the Link header (RFC 8288) to the next page. */
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
): Promise<AccessKeyView[]> {
  const shown: AccessKeyView[] = [];
  for (const key of keys) {
    if (shown.length % SHOWN_AT_A_TIME === 0 && shown.length > 0) await nextTurn();
    shown.push(isExport ? exportAccessKey(context, key) : showAccessKey(context, key));
  }
  return shown;
}

async function addUses({ db }: Context, shown: readonly AccessKeyView[]): Promise<AccessKeyView[]> {
  const ids = shown.map(({ key }) => key.id);
  const uses = await listLastUses(db, ids);
  return shown.map((each) => ({ ...each, lastUsedAt: uses.get(each.key.id) ?? null }));
}

type ShowContext = Pick<Context, 'clock' | 'settings'>;

/** Returns the view of a key without its secret. */
export function showAccessKey({ clock }: ShowContext, key: AccessKey): AccessKeyView {
  return { key, state: accessKeyStateOf(key, new Date(clock.now())), secretKey: undefined };
}

/** Returns the view of a key with its secret, for `export=true`. Deleted keys have no secret. */
function exportAccessKey(context: ShowContext, key: AccessKey): AccessKeyView {
  const secretKey = openAccessKeySecret(context.settings.encryptionKeys, key)?.toString();
  return { ...showAccessKey(context, key), secretKey };
}

/** States in an unfiltered list: usable, inactive and expired keys. */
const STATES_BY_DEFAULT: readonly AccessKeyState[] = ['active', 'inactive', 'expired'];

function readUserId({ query }: ApiRequest): string | undefined {
  return readParameter(query, 'userId');
}

/** Whether secret keys are requested. @throws ServiceError (invalid) for a value other than true and false */
function readExport(request: ApiRequest): boolean {
  return readFlag(request, 'export');
}

/**
 * Whether members beyond those of the original service are requested. @throws ServiceError (invalid) for a value other
 * than true and false
 */
function readExtended(request: ApiRequest): boolean {
  return readFlag(request, 'extended');
}

function readFlag({ query }: ApiRequest, name: string): boolean {
  const text = readParameter(query, name) ?? 'false';
  if (text !== 'true' && text !== 'false') throw invalidRequest(`${name} must be true or false`);
  return text === 'true';
}

function readStates({ query }: ApiRequest): readonly AccessKeyState[] {
  const text = readParameter(query, 'status');
  if (text === undefined) return STATES_BY_DEFAULT;
  const state = ACCESS_KEY_STATES.find((known) => known === text);
  if (state === undefined) {
    throw invalidRequest(`status must be one of ${ACCESS_KEY_STATES.join(', ')}`);
  }
  return [state];
}
