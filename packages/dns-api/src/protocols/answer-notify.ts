import { ServiceError } from '@zonewright/service-kit';
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
import { findNotifiable, hastenSecondary, keyOfNotify, type Notifiable } from '@zonewright/zones';
import type { Context } from '../context/context.js';
import {
  answerOf,
  readAny,
  readRelayedUpdate,
  readRelayedUpdates,
  type RelayedMessage,
} from './relayed-message.js';
import type { TenantRequest } from '../http/operation.js';
import { jsonReply, type StoredReply } from '../http/reply.js';

/** The response to a NOTIFY in base64; null if the service cannot respond now. */
interface Answered {
  readonly message: string | null;
}

/** A valid NOTIFY, with the name of its zone. */
interface Notify {
  readonly octets: Buffer;
  readonly message: ReadMessage;
  readonly name: string;
  readonly source: string;
}

/**
 * POST /internal/v1/notifies: the responses to NOTIFY messages (RFC 1996) of a nameserver. Only an address of one of
 * the zone's primaries may send one. Its effect is a query to the primaries, so a forged one costs little. `messages`
 * are answered together, in their order: one statement finds the zones of all.
 */
export async function answerNotify(context: Context, request: TenantRequest): Promise<StoredReply> {
  const messages = readRelayedUpdates(request.body);
  if (messages !== undefined) return jsonReply({ answers: await answerAll(context, messages) });
  const [answered] = await answerAll(context, [readRelayedUpdate(request.body)]);
  if (answered?.message == null)
    throw new ServiceError('unavailable', 'The NOTIFY cannot be answered.');
  return jsonReply(answered);
}

async function answerAll(
  context: Context,
  messages: readonly RelayedMessage[],
): Promise<Answered[]> {
  const read = messages.map(readNotify);
  const notifies = read.filter((each): each is Notify => !(each instanceof Uint8Array));
  const zones = await findNotifiable(context.db, notifies);
  const answers: Answered[] = [];
  for (const each of read) {
    const zone = each instanceof Uint8Array ? undefined : zones.get(keyOfNotify(each));
    answers.push(await answerOne(context, each, zone));
  }
  return answers;
}

/** Answers one message, so that a failure affects only this message. */
async function answerOne(
  context: Context,
  read: Notify | Uint8Array,
  zone: Notifiable | undefined,
): Promise<Answered> {
  try {
    if (read instanceof Uint8Array) return reply(read);
    const { message, octets } = read;
    if (zone === undefined) return reply(answerOf(message, RCODE.REFUSED));
    return reply(await answerKnown(context, { octets, message, zone }));
  } catch (error) {
    context.log.error({ err: error }, 'a NOTIFY could not be answered');
    return { message: null };
  }
}

/** Returns the NOTIFY, or the response to an invalid message. */
function readNotify({ octets, source }: RelayedMessage): Notify | Uint8Array {
  const message = readAny(octets);
  if (message instanceof Uint8Array) return message;
  const rcode = rcodeFor(message);
  const [question] = message.questions;
  if (rcode !== undefined || question === undefined) {
    return answerOf(message, rcode ?? RCODE.FORMERR);
  }
  return { octets, message, name: nameOfRecord(question), source };
}

/** Returns the error for a NOTIFY that does not have exactly one question of type SOA (RFC 1996, section 3.7). */
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

/**
 * Answers a NOTIFY for a known zone. A signed one must use the key of the zone's primaries, and the answer is signed,
 * too.
 */
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
  const answer = answerOf(message, RCODE.NOERROR, { flags: AA_FLAG });
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

function reply(message: Uint8Array): Answered {
  return { message: Buffer.from(message).toString('base64') };
}
