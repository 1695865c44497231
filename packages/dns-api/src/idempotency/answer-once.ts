import { createHash } from 'node:crypto';
import { lockName } from '@zonewright/database';
import type { TenantRequest } from '../http/operation.js';
import type { StoredReply } from '../http/reply.js';
import { invalidRequest } from '../problem.js';
import type { UnitOfWork } from '../transactions/unit-of-work.js';
import { findKeptAnswer, keepAnswer } from './idempotency-store.js';

/** Printable ASCII, as draft-ietf-httpapi-idempotency-key-header has it; UUIDs are usual. */
const KEY_FORM = /^[\x21-\x7e]{1,255}$/;

/** Of an answer that is kept, beside its body. */
const KEPT_OCTETS = 500;

/** An answer, and in which earlier transaction it was given first; undefined: in this one. */
interface AnswerOnce {
  readonly reply: StoredReply;
  readonly givenIn: string | undefined;
}

/**
 * Performs a POST with an Idempotency-Key at most once: a repetition gets the answer of the first time. The
 * answer is kept in the transaction of the change itself, so there is never one without the other. A request
 * that failed has changed nothing, and is tried anew.
 */
export async function answerOnce(
  work: UnitOfWork,
  request: TenantRequest,
  perform: () => Promise<StoredReply>,
): Promise<AnswerOnce> {
  const key = request.headers.idempotencyKey;
  if (key === undefined || request.method !== 'POST') {
    return { reply: await perform(), givenIn: undefined };
  }
  if (!KEY_FORM.test(key)) throw keyProblem('must be 1 to 255 visible ASCII characters');
  const { trx, caller } = work;
  const owner = { tenantId: caller.tenantId, key };
  // Whoever sends the same key at the same time waits here for the first one's answer.
  await lockName(trx, 'idempotencyKey', JSON.stringify(owner));
  const requestDigest = digestRequest(request);
  const kept = await findKeptAnswer(trx, owner.tenantId, key);
  if (kept !== undefined) {
    if (kept.requestDigest.equals(requestDigest)) return kept;
    throw keyProblem('was used for another request; use a new key for each request');
  }
  const reply = await perform();
  await keepAnswer(trx, owner, { requestDigest, reply });
  work.written.octets += KEPT_OCTETS + reply.body.length;
  return { reply, givenIn: undefined };
}

function digestRequest({ method, target, body }: TenantRequest): Buffer {
  return createHash('sha256')
    .update(JSON.stringify([method, target, body]))
    .digest();
}

function keyProblem(what: string) {
  return invalidRequest([
    {
      path: 'Idempotency-Key',
      validator: 'idempotencyKey',
      message: `The header Idempotency-Key ${what}.`,
    },
  ]);
}
