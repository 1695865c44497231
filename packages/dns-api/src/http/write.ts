import type { Context } from '../context.js';
import { answerOnce } from '../idempotency/answer-once.js';
import { readPreferredWaitMs } from '../publication/prefer-wait.js';
import { findAwaitedChange, findPastAwaitedChange } from '../publication/awaited-change-store.js';
import type { AwaitedChange } from '../publication/nameserver-status.js';
import { inTransaction } from '../transactions/in-transaction.js';
import type { UnitOfWork } from '../transactions/unit-of-work.js';
import type { TenantRequest } from './operation.js';
import type { StoredReply } from './reply.js';

/**
 * Answers a request that changes something, unless its tenant has written too much of late: all of `perform` is one transaction, and so is the answer that is
 * kept for a repetition with the same Idempotency-Key. With `Prefer: wait=N` the answer waits, after the transaction
 * and without a connection of the database, until the nameservers answer with the change.
 */
export async function write(
  context: Context,
  request: TenantRequest,
  perform: (work: UnitOfWork) => Promise<StoredReply>,
): Promise<StoredReply> {
  const waitMs = readPreferredWaitMs(request.headers.prefer);
  const { tenantId } = request.caller;
  context.writes.check(tenantId);
  const written = { octets: 0 };
  const { reply, change } = await inTransaction(context, async (trx) => {
    const work: UnitOfWork = {
      trx,
      caller: request.caller,
      requestId: request.requestId,
      rules: context.settings.rules,
      clock: context.clock,
      written,
    };
    const answer = await answerOnce(work, request, () => perform(work));
    const awaited =
      waitMs === undefined
        ? undefined
        : answer.givenIn === undefined
          ? await findAwaitedChange(trx, request.params['domainId'])
          : await findPastAwaitedChange(trx, answer.givenIn);
    // Who was told that it was not done must not find it done.
    request.turn.checkAwaited();
    return { reply: answer.reply, change: awaited };
  }).finally(() => {
    context.metrics.writtenOctets.inc(written.octets);
    void context.writes.spend(tenantId, written.octets);
  });
  if (waitMs === undefined || change === undefined) return reply;
  return await waitForPublication(context, request, { reply, change, waitMs });
}

async function waitForPublication(
  { publication }: Context,
  request: TenantRequest,
  { reply, change, waitMs }: { reply: StoredReply; change: AwaitedChange; waitMs: number },
): Promise<StoredReply> {
  request.turn.leave();
  const { hasWaited, count } = await publication.wait(
    change,
    request.caller.tenantId,
    waitMs,
    request.onAbandoned,
  );
  return {
    ...reply,
    headers: {
      ...reply.headers,
      ...(hasWaited ? { 'Preference-Applied': 'wait' } : {}),
      ...(count === undefined
        ? {}
        : { 'X-Zonewright-Published': `${count.applied}/${count.total}` }),
    },
  };
}
