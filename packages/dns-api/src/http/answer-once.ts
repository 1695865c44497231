import { createHash } from 'node:crypto';
import { lockName } from '@zonewright/database';
import { payerOf, type TenantRequest } from './operation.js';
import type { StoredReply } from './reply.js';
import { forEachInSlices, invalidRequest, ServiceError } from '@zonewright/service-kit';
import {
  type AnsweredUpdate,
  answerOctets,
  areSomeOfOthers,
  findStoredResponse,
  LocksOutdated,
  storeResponses,
  type UnitOfWork,
  zoneNotFound,
} from '@zonewright/zones';

/** Printable ASCII, as required by draft-ietf-httpapi-idempotency-key-header. Most clients send UUIDs. */
const KEY_FORM = /^[\x21-\x7e]{1,255}$/;

/** A response, and the transaction that gave it first. `undefined` if that was this transaction. */
interface AnswerOnce {
  readonly reply: StoredReply;
  readonly givenIn: string | undefined;
}

/**
 * Performs a POST with an Idempotency-Key at most once: a retry gets the first response. The response is stored in the
 * transaction of the change itself, so that both exist or neither does. A failed request has changed nothing, and can
 * be repeated.
 */
export async function answerOnce(
  work: UnitOfWork,
  request: TenantRequest,
  perform: () => Promise<StoredReply>,
): Promise<AnswerOnce> {
  const repetition = await identifyRepetition(request);
  if (repetition === undefined) return { reply: await perform(), givenIn: undefined };
  const { trx } = work;
  const { tenantId, key, requestDigest } = repetition;
  await lockName(trx, 'idempotencyKey', JSON.stringify({ tenantId, key }));
  const kept = await findStoredResponse(trx, tenantId, key);
  if (kept !== undefined) {
    if (kept.requestDigest.equals(requestDigest)) {
      await requireOwnZones(work, request, kept.reply);
      return kept;
    }
    throw keyProblem('was used for another request; use a new key for each request');
  }
  const reply = await perform();
  const answered = { ...repetition, reply };
  // Another process has made the change in the meantime, without this lock. Its response is found the next time.
  if (!(await storeResponses(trx, [answered]))) throw new LocksOutdated();
  work.written.octets += answerOctets(answered);
  return { reply, givenIn: undefined };
}

/**
 * Returns where the response to a request is stored for retries. Undefined if it is not stored.
 *
 * @throws ServiceError `invalid`
 */
export async function identifyRepetition(
  request: TenantRequest,
): Promise<Omit<AnsweredUpdate, 'reply'> | undefined> {
  const key = repetitionKey(request);
  if (key === undefined) return undefined;
  if (!KEY_FORM.test(key)) throw keyProblem('must be 1 to 255 visible ASCII characters');
  return { tenantId: payerOf(request), key, requestDigest: await digestRequest(request) };
}

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/**
 * Withholds a stored response about a zone from the zone's former owner, too. @throws ServiceError `not-found`, or
 * `conflict` for a creation
 */
async function requireOwnZones(
  { trx }: UnitOfWork,
  { caller, params }: TenantRequest,
  reply: StoredReply,
): Promise<void> {
  const ids = [...Object.values(params).join(' ').matchAll(UUID), ...reply.body.matchAll(UUID)];
  const isOfOthers = await areSomeOfOthers(
    trx,
    caller.tenantId,
    ids.map(([id]) => id),
  );
  if (!isOfOthers) return;
  if (Object.keys(params).length > 0) throw zoneNotFound();
  throw new ServiceError('conflict', 'The domain of this request now belongs to another project.');
}

/** Returns the key under which the response is stored. Undefined if the request cannot be a retry. */
export function repetitionKey({ headers, method }: TenantRequest): string | undefined {
  return method === 'POST' ? headers.idempotencyKey : undefined;
}

/** Maximum length of a piece. Zone files can be long, so they are digested in pieces. */
const PIECE_CHARACTERS = 262_144;

/** Returns the digest of `[method, target, body]` as JSON. */
async function digestRequest({ method, target, body, caller }: TenantRequest): Promise<Buffer> {
  const hash = createHash('sha256');
  // A restricted key gets only responses that were stored for it: others may contain records that it must not read.
  const asked = [method, target, ...(caller.key === undefined ? [] : [caller.key.id])];
  const head = JSON.stringify(asked).slice(0, -1);
  if (typeof body !== 'string') {
    return hash.update(`${head},${JSON.stringify(body ?? null)}]`).digest();
  }
  hash.update(`${head},"`);
  await forEachInSlices(piecesOf(body), (piece) => {
    hash.update(JSON.stringify(piece).slice(1, -1));
  });
  return hash.update('"]').digest();
}

/** Splits the text without cutting a surrogate pair in half. */
function* piecesOf(text: string): Generator<string> {
  for (let from = 0; from < text.length;) {
    const end = from + PIECE_CHARACTERS;
    const isBetweenHalves = /[\ud800-\udbff]/.test(text[end - 1] ?? '');
    const to = isBetweenHalves ? end - 1 : end;
    yield text.slice(from, to);
    from = to;
  }
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
