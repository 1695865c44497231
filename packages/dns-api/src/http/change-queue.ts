import { applyOptimistic, type ChangeOfMany, type OutcomeOfMany } from '@zonewright/zones';
import { isDatabaseUnavailable } from '@zonewright/database';
import { Overload, ServiceError } from '@zonewright/service-kit';
import type { Context } from '../context/context.js';
import { payerOf, type TenantRequest } from './operation.js';
import { type Answer, charge, planWork } from './write.js';
import { inFairOrder } from '../limits/tenant-turn.js';

/** A change that waits for those before it in its zone. */
interface QueuedChange {
  readonly context: Context;
  readonly request: TenantRequest;
  readonly isDryRun: boolean;
  /** Creates the change; called for each attempt. */
  readonly toChange: (work: ChangeOfMany['work']) => ChangeOfMany | Promise<ChangeOfMany>;
  /** Makes the change in its own transaction. @throws ServiceError, Overload */
  readonly changeAlone: (request: TenantRequest) => Promise<Answer>;
}

type Finished = Exclude<OutcomeOfMany, { kind: 'alone' | 'later' }>;

/**
 * Maximum number of changes in one transaction. It equals the number of updates that one nameserver relays at a time.
 */
const MOST_OF_ZONE = 64;

/**
 * Batches changes of a zone that arrive while other changes of it are being written (ADR 0044). A batch contains
 * changes of one paying tenant, in the order of arrival. A change that needs its own transaction runs between those
 * before and after it.
 *
 * @throws ServiceError, Overload
 */
export async function addToQueue(zoneId: string, change: QueuedChange): Promise<Answer> {
  const { context, request } = change;
  const run = (changes: readonly [QueuedChange, ...QueuedChange[]]) => doAll(zoneId, changes);
  const place = `${payerOf(request)} ${request.caller.tenantId} ${zoneId}`;
  const finished = await context.changes.do(place, change, { run, atOnce: 1, most: MOST_OF_ZONE });
  if (finished.kind === 'refused') throw finished.error;
  return finished;
}

async function doAll(
  zoneId: string,
  changes: readonly [QueuedChange, ...QueuedChange[]],
): Promise<readonly Finished[]> {
  const finished: Finished[] = [];
  for (;;) {
    const [next, ...others] = changes.slice(finished.length);
    if (next === undefined) return finished;
    finished.push(...(await doFirst(zoneId, [next, ...others])));
  }
}

/** Makes at least one of the first changes. */
async function doFirst(
  zoneId: string,
  changes: readonly [QueuedChange, ...QueuedChange[]],
): Promise<readonly Finished[]> {
  const finished: Finished[] = [];
  for (const [at, outcome] of (await doTogether(zoneId, changes)).entries()) {
    if (outcome.kind === 'later') break;
    const change = changes[at] ?? changes[0];
    finished.push(outcome.kind === 'alone' ? await doAlone(change) : outcome);
  }
  return finished;
}

async function doAlone(change: QueuedChange): Promise<Finished> {
  try {
    const answer = await changeInTurn(change);
    return { kind: 'answered', ...answer };
  } catch (error) {
    return { kind: 'refused', error: error as Error };
  }
}

/** Makes a change that needs a separate connection, in a slot of the tenant. */
async function changeInTurn({ context, request, changeAlone }: QueuedChange): Promise<Answer> {
  if (request.mayConnect === true) return await changeAlone(request);
  const { turn, caller } = request;
  const slot = { turn, places: context.shares.short, tenantId: caller.tenantId };
  return await inFairOrder(slot, (own) => changeAlone({ ...request, turn: own }));
}

/**
 * Makes the changes in one transaction. If that fails, each half gets its own transaction, and so on, until only the
 * wrong change fails.
 *
 * @returns the outcomes of the first changes
 */
async function doTogether(
  zoneId: string,
  changes: readonly [QueuedChange, ...QueuedChange[]],
): Promise<readonly OutcomeOfMany[]> {
  const [first, ...others] = changes;
  try {
    return await transact(zoneId, changes);
  } catch (error) {
    const half = others.splice(Math.floor(others.length / 2));
    const [next, ...rest] = half;
    if (next === undefined || isOfAll(error))
      return changes.map(() => ({ kind: 'refused', error: error as Error }));
    const done = await doTogether(zoneId, [first, ...others]);
    const isStopped = done.some(({ kind }) => kind === 'alone' || kind === 'later');
    return isStopped ? done : [...done, ...(await doTogether(zoneId, [next, ...rest]))];
  }
}

/**
 * Whether each change would fail with the same error because the service, the database or the signer is not available.
 */
function isOfAll(error: unknown): boolean {
  const isUnavailable = error instanceof ServiceError && error.kind === 'unavailable';
  return error instanceof Overload || isUnavailable || isDatabaseUnavailable(error);
}

/** Number of attempts without a lock. Other transactions may change the zone in the meantime. */
const MAX_ATTEMPTS = 3;

/** Thrown if clients of these changes have been told in the meantime that nothing was done. */
class LateChanges extends Error {
  override readonly name = 'LateChanges';
}

type Refusals = Map<QueuedChange, Error>;

async function transact(
  zoneId: string,
  changes: readonly [QueuedChange, ...QueuedChange[]],
): Promise<readonly OutcomeOfMany[]> {
  const [{ context }] = changes;
  const refusals: Refusals = new Map();
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const outcomes = await attemptAll(zoneId, changes, refusals);
    if (outcomes !== undefined) return outcomes;
    context.metrics.transactionRetries.inc();
  }
  return changes.map((change) => refusalOf(change, refusals) ?? { kind: 'alone' });
}

/** @returns undefined if the zone or the batch changed in the meantime */
async function attemptAll(
  zoneId: string,
  changes: readonly [QueuedChange, ...QueuedChange[]],
  refusals: Refusals,
): Promise<readonly OutcomeOfMany[] | undefined> {
  const [{ context, request: first }] = changes;
  const made = new Map<QueuedChange, ChangeOfMany>();
  for (const change of changes) {
    if (refusals.has(change)) continue;
    await refuseAlone(change, refusals, async () => {
      made.set(change, await toChange(change));
    });
  }
  const [one, ...others] = made.values();
  if (one === undefined) return changes.map((change) => refusalOf(change, refusals) ?? ALONE);
  const beforeWrite = () => {
    if (!findLate([...made.keys()], refusals)) return;
    throw new LateChanges();
  };
  try {
    const place = { groups: context.groups, zoneId, beforeWrite };
    const done = await applyOptimistic(place, [one, ...others]);
    // All changes belong to one tenant.
    const octets = [one, ...others].reduce((sum, { work }) => sum + work.written.octets, 0);
    if (done === undefined) return undefined;
    charge(context, first, octets);
    const outcomes = new Map([...made.keys()].map((change, at) => [change, done[at]]));
    return changes.map((change) => refusalOf(change, refusals) ?? outcomes.get(change) ?? ALONE);
  } catch (error) {
    if (error instanceof LateChanges) return undefined;
    throw error;
  }
}

const ALONE: OutcomeOfMany = { kind: 'alone' };

/**
 * A change must not be made after its client was told that nothing was done. @returns whether there is such a change
 */
function findLate(changes: readonly QueuedChange[], refusals: Refusals): boolean {
  for (const change of changes) {
    try {
      change.request.turn.checkAwaited();
    } catch (error) {
      refusals.set(change, error as Error);
    }
  }
  return changes.some((change) => refusals.has(change));
}

/** Rejects a request with its own error, such as an invalid note, so that it does not affect the others. */
async function refuseAlone(
  change: QueuedChange,
  refusals: Refusals,
  make: () => Promise<void>,
): Promise<void> {
  try {
    await make();
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    refusals.set(change, error);
  }
}

function refusalOf(change: QueuedChange, refusals: Refusals): OutcomeOfMany | undefined {
  const error = refusals.get(change);
  return error && { kind: 'refused', error };
}

async function toChange({
  context,
  request,
  isDryRun,
  toChange: make,
}: QueuedChange): Promise<ChangeOfMany> {
  const work = planWork(context, request, isDryRun);
  const change = await make({ ...work, hints: { mixedTtl: false } });
  const plan: ChangeOfMany['plan'] = async (ground) => {
    // Retries are answered before the budget is checked, since they cost nothing.
    context.writes.check(payerOf(request));
    return await change.plan(ground);
  };
  return { ...change, plan };
}
