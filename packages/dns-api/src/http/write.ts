import type { Context } from '../context.js';
import { answerOnce } from '../idempotency/answer-once.js';
import { inTransaction } from '../transactions/in-transaction.js';
import type { UnitOfWork } from '../transactions/unit-of-work.js';
import type { TenantRequest } from './operation.js';
import type { StoredReply } from './reply.js';

/**
 * Answers a request that changes something: all of `perform` is one transaction, and so is the answer that is
 * kept for a repetition with the same Idempotency-Key.
 */
export async function write(
  context: Context,
  request: TenantRequest,
  perform: (work: UnitOfWork) => Promise<StoredReply>,
): Promise<StoredReply> {
  return await inTransaction(context, async (trx) => {
    const work: UnitOfWork = {
      trx,
      caller: request.caller,
      requestId: request.requestId,
      rules: context.settings.rules,
      clock: context.clock,
    };
    const reply = await answerOnce(work, request, () => perform(work));
    // Who was told that it was not done must not find it done.
    request.turn.checkAwaited();
    return reply;
  });
}
