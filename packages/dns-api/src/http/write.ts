import { invalidRequest } from '@zonewright/service-kit';
import {
  type AwaitedChange,
  findAwaitedChange,
  findPastAwaitedChange,
  inTransaction,
  type PublicationCount,
  Undo,
  type UnitOfWork,
} from '@zonewright/zones';
import { NO_SIGNER } from '../access/signer-client.js';
import type { Context } from '../context/context.js';
import { stateOf } from '../context/render-event.js';
import { answerOnce, repetitionKey } from './answer-once.js';
import { readFlag } from './members.js';
import { payerOf, type TenantRequest } from './operation.js';
import { DRY_RUN, DRY_RUN_HEADER, readPreferredWaitMs } from './read-query.js';
import { readNote, type StoredReply } from './reply.js';

/** Response to a write, and the serial of the domain after it; undefined if it changes no domain. */
export interface Written {
  readonly reply: StoredReply;
  readonly serial?: number;
}

/** Headers that a dry run must not return. */
const OF_WHAT_IS_DONE: ReadonlySet<string> = new Set(['ETag', 'Location']);

type Perform = (work: UnitOfWork) => Promise<Written>;

/** Response to a write, and the change whose publication its client may wait for. */
export interface Answer {
  readonly reply: StoredReply;
  readonly awaited?: AwaitedChange | undefined;
}

/**
 * Answers a request that changes data, unless its tenant has used up its write budget. `perform` is one transaction,
 * which also stores the response for retries with the same Idempotency-Key. With `Prefer: wait=N` the response
 * waits until the nameservers answer with the change. The wait is after the transaction and uses no database
 * connection. With `dry_run=true` the transaction is always rolled back.
 */
export async function write(
  context: Context,
  request: TenantRequest,
  perform: Perform,
): Promise<StoredReply> {
  return await awaitPublication(context, request, await writeOnce(context, request, perform));
}

/** Does the same as `write`, but does not wait for the publication. */
export async function writeOnce(
  context: Context,
  request: TenantRequest,
  perform: Perform,
): Promise<Answer> {
  const checkBudget = () => {
    context.writes.check(payerOf(request));
  };
  // A retry costs nothing, but it is only recognized after the transaction has begun.
  const mayBeRepetition = repetitionKey(request) !== undefined;
  if (!mayBeRepetition) checkBudget();
  if (isTried(request)) return { reply: await tryOnly(context, request, perform) };
  const waits = readPreferredWaitMs(request.headers.prefer) !== undefined;
  return await transact(context, request, false, async (work) => {
    const { reply, givenIn } = await answerOnce(work, request, async () => {
      if (mayBeRepetition) checkBudget();
      return showSerial(await perform(work), work);
    });
    const find = async () =>
      givenIn === undefined
        ? await findAwaitedChange(work.trx, zoneIdOf(request))
        : await findPastAwaitedChange(work.trx, givenIn);
    const awaited = waits ? await find() : undefined;
    // Do not commit after the request timed out.
    request.turn.checkAwaited();
    return { reply, awaited };
  });
}

/** Whether the request is a dry run. @throws ServiceError `invalid` */
export function isTried({ query }: TenantRequest): boolean {
  return readFlag(query, DRY_RUN);
}

/** Returns the zone id of the path. v1 calls it a domain, v2 a zone. */
export function zoneIdOf({ params }: TenantRequest): string | undefined {
  return params['domainId'] ?? params['zone_id'];
}

async function tryOnly(
  context: Context,
  request: TenantRequest,
  perform: Perform,
): Promise<StoredReply> {
  try {
    return await transact(context, request, true, async (work) => {
      throw new Undo(showTried(await perform(work), work));
    });
  } catch (error) {
    if (!(error instanceof Undo)) throw error;
    return error.result as StoredReply;
  }
}

/** Returns the response of a dry run, without serial, ETag and Location. */
export function showTried({ reply }: Written, work: Pick<UnitOfWork, 'hints'>): StoredReply {
  const headers = Object.entries(reply.headers).filter(([name]) => !OF_WHAT_IS_DONE.has(name));
  return {
    ...reply,
    headers: { ...Object.fromEntries(headers), ...renderHints(work), [DRY_RUN_HEADER]: 'true' },
  };
}

/**
 * Charges the tenant as soon as the transaction has ended, whether or not it succeeded. The response may wait long
 * after that.
 */
async function transact<T>(
  context: Context,
  request: TenantRequest,
  isDryRun: boolean,
  perform: (work: UnitOfWork) => Promise<T>,
): Promise<T> {
  const { db, metrics } = context;
  const parts = planWork(context, request, isDryRun);
  try {
    return await inTransaction(
      db,
      (trx) => perform({ ...parts, trx, hints: { mixedTtl: false } }),
      () => {
        metrics.transactionRetries.inc();
      },
    );
  } finally {
    charge(context, request, parts.written.octets);
  }
}

/** Prepares a unit of work. The transaction is added later. */
export function planWork(
  context: Context,
  request: TenantRequest,
  isDryRun: boolean,
): Omit<UnitOfWork, 'trx' | 'hints'> {
  const { settings, clock, signer = NO_SIGNER } = context;
  const { caller, requestId, source } = request;
  const rules = {
    ...settings.rules,
    cloudAdminRoles: settings.access.cloudAdminRoles,
    signsNewZones: context.signer !== undefined && settings.signer.signsNewDomains,
  };
  const note = readNote(request.header);
  const written = { octets: 0 };
  const zonesToKeep = new Set<string>();
  return { caller, requestId, source, note, rules, clock, signer, written, zonesToKeep, isDryRun };
}

/** Charges the tenant for the bytes that the request wrote to the database. */
export function charge({ metrics, writes }: Context, request: TenantRequest, octets: number): void {
  metrics.writtenOctets.inc(octets);
  void writes.spend(payerOf(request), octets);
}

/** Adds the serial, so that the client can query the publication of its own change despite later changes. */
export function showSerial(
  { reply, serial }: Written,
  work: Pick<UnitOfWork, 'hints'>,
): StoredReply {
  const ofZone = serial === undefined ? {} : { 'X-Zonewright-Serial': String(serial) };
  return { ...reply, headers: { ...reply.headers, ...ofZone, ...renderHints(work) } };
}

/** Adds the codes of hints. The check of the domain explains them. */
function renderHints({ hints }: Pick<UnitOfWork, 'hints'>): Readonly<Record<string, string>> {
  return hints.mixedTtl ? { 'X-Zonewright-Warning': 'mixed-ttl' } : {};
}

/** Waits as long as the client prefers. */
export async function awaitPublication(
  { publication }: Context,
  request: TenantRequest,
  { reply, awaited }: Answer,
): Promise<StoredReply> {
  const waitMs = readPreferredWaitMs(request.headers.prefer);
  if (waitMs === undefined || awaited === undefined || isTried(request)) return reply;
  request.turn.leave();
  const { hasWaited, count } = await publication.wait(
    awaited,
    payerOf(request),
    waitMs,
    request.onAbandoned,
  );
  return {
    ...reply,
    headers: {
      ...reply.headers,
      ...(hasWaited ? { 'Preference-Applied': 'wait' } : {}),
      ...(count === undefined ? {} : renderPublicationHeaders(count)),
    },
  };
}

/**
 * Performs a write whose response contains a secret. Responses with an Idempotency-Key are stored, but secrets are not.
 * A retry gets 409, since the created object has a unique name or a zone.
 *
 * @throws ServiceError `invalid`
 */
export async function writeSecret(
  context: Context,
  request: TenantRequest,
  perform: Parameters<typeof write>[2],
): Promise<StoredReply> {
  if (request.headers.idempotencyKey === undefined) return await write(context, request, perform);
  const message =
    'The response contains a secret, which is not stored for repeated requests: leave out Idempotency-Key.';
  throw invalidRequest([{ path: 'Idempotency-Key', validator: 'disallowed', message }]);
}

/**
 * Returns the headers with the publication after a wait: a token with parameters (RFC 9651 s3.3), and an older,
 * shorter form. The older form does not distinguish late nameservers from stopped ones.
 */
function renderPublicationHeaders(count: PublicationCount): Record<string, string> {
  const { applied, live, total } = count;
  return {
    'X-Zonewright-Published': `${applied}/${total}`,
    'X-Zonewright-Publication': `${stateOf(count)}; applied=${applied}; live=${live}; total=${total}`,
  };
}
