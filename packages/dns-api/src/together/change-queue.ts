import { applyTogether, type ChangeOfMany, type OutcomeOfMany } from '@zonewright/zones';
import { isDatabaseUnavailable } from '@zonewright/database';
import { Overload } from '@zonewright/service-kit';
import type { Context } from '../context/context.js';
import { payerOf, type TenantRequest } from '../http/operation.js';
import { charge, planWork } from '../http/write.js';
import { inTenantTurn } from '../limits/tenant-turn.js';

/** A change that waits for those before it in its zone. */
interface QueuedChange {
  readonly context: Context;
  readonly request: TenantRequest;
  /** Whether the request has a place of its tenant; where none has, they take one together. */
  readonly isInTurn: boolean;
  /** Anew for each attempt. */
  readonly toChange: (work: ChangeOfMany['work']) => ChangeOfMany | Promise<ChangeOfMany>;
}

/** Changes of one transaction: as many as a nameserver relays at a time, of several of them. */
const MOST_OF_ZONE = 64;

/**
 * Changes of a zone that come while others of it are being written are written together (ADR 0044): all that are paid for by the tenant
 * that makes them.
 *
 * @throws ServiceError, Overload
 */
export async function addToQueue(zoneId: string, change: QueuedChange): Promise<OutcomeOfMany> {
  const { context, request } = change;
  const run = (changes: readonly [QueuedChange, ...QueuedChange[]]) => doAll(zoneId, changes);
  const place = `${request.caller.tenantId} ${zoneId}`;
  return await context.changes.do(place, change, { run, atOnce: 1, most: MOST_OF_ZONE });
}

/** In one transaction; where that cannot be done, each by itself. */
async function doAll(
  zoneId: string,
  changes: readonly [QueuedChange, ...QueuedChange[]],
): Promise<readonly OutcomeOfMany[]> {
  const [{ context, request }] = changes;
  const { tenantId } = request.caller;
  const { turn } = request;
  const places = context.shares.short;
  try {
    if (changes.some(({ isInTurn }) => isInTurn)) return await transact(zoneId, changes);
    return await inTenantTurn({ turn, places, tenantId }, () => transact(zoneId, changes));
  } catch (error) {
    // What is wrong with one is nothing to the others.
    const isOfAll = error instanceof Overload || isDatabaseUnavailable(error);
    if (changes.length === 1 || isOfAll) throw error;
    return changes.map(() => ({ kind: 'alone' }));
  }
}

/** Others may change the zone meanwhile; who meets them again and again waits for the lock of its row. */
const MAX_ATTEMPTS = 3;

async function transact(
  zoneId: string,
  changes: readonly [QueuedChange, ...QueuedChange[]],
): Promise<readonly OutcomeOfMany[]> {
  const [{ context, request: first }] = changes;
  const { db, metrics } = context;
  const beforeWrite = () => {
    // Who was told that it was not done must not find it done.
    for (const { request } of changes) request.turn.checkAwaited();
  };
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const [one, ...others] = await Promise.all(changes.map(toChange));
    if (one === undefined) return [];
    const all = [one, ...others] as const;
    const outcomes = await applyTogether({ db, zoneId, beforeWrite }, all);
    // They are all of one tenant.
    const octets = all.reduce((sum, { work }) => sum + work.written.octets, 0);
    if (outcomes !== undefined) charge(context, first, octets);
    if (outcomes !== undefined) return outcomes;
    metrics.transactionRetries.inc();
  }
  return changes.map(() => ({ kind: 'alone' }));
}

async function toChange({ context, request, toChange: make }: QueuedChange): Promise<ChangeOfMany> {
  const change = await make({ ...planWork(context, request, false), hints: { mixedTtl: false } });
  const plan: ChangeOfMany['plan'] = async (ground) => {
    // Repetitions are answered before they are planned: they cost nothing.
    context.writes.check(payerOf(request));
    return await change.plan(ground);
  };
  return { ...change, plan };
}
