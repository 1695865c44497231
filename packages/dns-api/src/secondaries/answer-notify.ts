import { secretIdentity } from '@zonewright/database';
import {
  AA_FLAG,
  checkRequest,
  nameOfRecord,
  OPCODE,
  opcodeOf,
  RCODE,
  type ReadMessage,
  RR_CLASS,
  RR_TYPE,
  TSIG_ALGORITHMS,
  TsigAnswerSigner,
  type TsigKey,
  withTsigFault,
} from '@zonewright/dns-records';
import { findNotifiable, hastenSecondary, type Notifiable } from '@zonewright/zones';
import type { Context } from '../context/context.js';
import { readRelayedUpdate } from '../dynamic-update/relayed-message.js';
import { answerOf, readAny } from '../dynamic-update/signed-message.js';
import type { TenantRequest } from '../http/operation.js';
import { jsonReply, type StoredReply } from '../http/reply.js';

/**
 * POST /internal/v1/notifies: the answer to a NOTIFY (RFC 1996) that a nameserver was sent. From an address of one of the zone's primaries
 * alone: what it brings about is a question to them, so that a forged one costs little.
 */
export async function answerNotify(context: Context, request: TenantRequest): Promise<StoredReply> {
  const { octets, source } = readRelayedUpdate(request.body);
  const message = readAny(octets);
  if (message instanceof Uint8Array) return reply(message);
  const rcode = rcodeFor(message);
  const [question] = message.questions;
  if (rcode !== undefined || question === undefined) {
    return reply(answerOf(message, rcode ?? RCODE.FORMERR));
  }
  const zone = await findNotifiable(context.db, nameOfRecord(question), source);
  if (zone === undefined) return reply(answerOf(message, RCODE.REFUSED));
  return reply(await answerKnown(context, { octets, message, zone }));
}

/** RFC 1996 s3.7: one question, of type SOA. */
function rcodeFor(message: ReadMessage): number | undefined {
  const { questions } = message;
  const [question, ...others] = questions;
  if (opcodeOf(message) !== OPCODE.NOTIFY) return RCODE.NOTIMP;
  if (question === undefined || others.length > 0) return RCODE.FORMERR;
  const isSoa = question.type === RR_TYPE.SOA && question.class === RR_CLASS.IN;
  return isSoa ? undefined : RCODE.NOTIMP;
}

interface Known {
  readonly octets: Buffer;
  readonly message: ReadMessage;
  readonly zone: Notifiable;
}

/** What is signed is so with the key of the zone's primaries, and answered so. */
async function answerKnown(
  context: Context,
  { octets, message, zone }: Known,
): Promise<Uint8Array> {
  const { tsig } = message;
  const now = context.clock.now() / 1_000;
  const key = tsig && keyOf(context, zone);
  const fault = tsig && checkRequest(octets, tsig, key, now);
  if (tsig !== undefined && fault !== undefined) {
    return withTsigFault(answerOf(message, RCODE.NOTAUTH), { tsig, fault, key }, now);
  }
  await hastenSecondary(context.db, zone.zoneId);
  const answer = answerOf(message, RCODE.NOERROR, AA_FLAG);
  if (tsig === undefined || key === undefined) return answer;
  return new TsigAnswerSigner(key, tsig.mac).sign(answer, now);
}

function keyOf({ settings }: Context, zone: Notifiable): TsigKey | undefined {
  const { zoneId, keyName, keyAlgorithm, sealed, keyId } = zone;
  const algorithm = TSIG_ALGORITHMS.find((each) => each === keyAlgorithm);
  if (keyName === null || sealed === null || keyId === null) return undefined;
  if (algorithm === undefined || settings.transferKeys === undefined) return undefined;
  const secret = settings.transferKeys.open({ sealed, keyId }, secretIdentity.primaryKey(zoneId));
  return { name: keyName, algorithm, secret };
}

function reply(message: Uint8Array): StoredReply {
  return jsonReply({ message: Buffer.from(message).toString('base64') });
}
