import { applyUpdates, type OutcomeOfMany, type UpdateOfMany, type Zone } from '@zonewright/zones';
import { isDatabaseUnavailable } from '@zonewright/database';
import type { ReadMessage } from '@zonewright/dns-records';
import { Overload } from '@zonewright/service-kit';
import type { Context } from '../context/context.js';
import { digestRequest } from '../http/answer-once.js';
import { payerOf, type TenantRequest } from '../http/operation.js';
import { jsonReply } from '../http/reply.js';
import { charge, planWork } from '../http/write.js';
import { inTenantTurn } from '../limits/tenant-turn.js';

/** An update that waits for those before it in its zone; the request has the key of its repetitions. */
interface QueuedUpdate {
  readonly context: Context;
  readonly request: TenantRequest;
  readonly message: ReadMessage;
}

type UpdatedZone = Pick<Zone, 'id' | 'name'>;

/** Updates of one transaction: as many as a nameserver relays at a time, of several of them. */
const MOST_OF_ZONE = 64;

/**
 * Updates of a zone that come while others of it are being written are written together (ADR 0044).
 *
 * @throws ServiceError, Overload
 */
export async function addToQueue(zone: UpdatedZone, update: QueuedUpdate): Promise<OutcomeOfMany> {
  const { context, request } = update;
  const run = (updates: readonly [QueuedUpdate, ...QueuedUpdate[]]) => doAll(zone, updates);
  const place = `${request.caller.tenantId} ${zone.id}`;
  return await context.updates.do(place, update, { run, atOnce: 1, most: MOST_OF_ZONE });
}

/** In one transaction; where that cannot be done, each by itself. */
async function doAll(
  zone: UpdatedZone,
  updates: readonly [QueuedUpdate, ...QueuedUpdate[]],
): Promise<readonly OutcomeOfMany[]> {
  const [{ context, request }] = updates;
  const { tenantId } = request.caller;
  const { turn } = request;
  const places = context.shares.short;
  try {
    return await inTenantTurn({ turn, places, tenantId }, () => transact(zone, updates));
  } catch (error) {
    // What is wrong with one is nothing to the others.
    const isOfAll = error instanceof Overload || isDatabaseUnavailable(error);
    if (updates.length === 1 || isOfAll) throw error;
    return updates.map(() => ({ kind: 'alone' }));
  }
}

/** Others may change the zone meanwhile; who meets them again and again waits for the lock of its row. */
const MAX_ATTEMPTS = 3;

async function transact(
  zone: UpdatedZone,
  updates: readonly [QueuedUpdate, ...QueuedUpdate[]],
): Promise<readonly OutcomeOfMany[]> {
  const [{ context, request: first }] = updates;
  const { db, metrics } = context;
  const beforeWrite = () => {
    // Who was told that it was not done must not find it done.
    for (const { request } of updates) request.turn.checkAwaited();
  };
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const [one, ...others] = await Promise.all(updates.map(toUpdate));
    if (one === undefined) return [];
    const all = [one, ...others] as const;
    const outcomes = await applyUpdates({ db, zone, beforeWrite }, [...all]);
    // They are all of one tenant.
    const octets = all.reduce((sum, { work }) => sum + work.written.octets, 0);
    if (outcomes !== undefined) charge(context, first, octets);
    if (outcomes !== undefined) return outcomes;
    metrics.transactionRetries.inc();
  }
  return updates.map(() => ({ kind: 'alone' }));
}

async function toUpdate({ context, request, message }: QueuedUpdate): Promise<UpdateOfMany> {
  return {
    work: { ...planWork(context, request, false), hints: { mixedTtl: false } },
    update: message,
    kept: {
      tenantId: payerOf(request),
      key: request.headers.idempotencyKey ?? '',
      requestDigest: await digestRequest(request),
    },
    toReply: jsonReply,
  };
}
