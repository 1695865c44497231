import {
  answerHeader,
  MessageSyntaxError,
  nameOfRecord,
  OPCODE,
  opcodeOf,
  RCODE,
  readHeader,
  type ReadMessage,
  readMessage,
  RR_CLASS,
  RR_TYPE,
  type Tsig,
  withTsigFault,
  writeMessage,
} from '@zonewright/dns-records';
import { ServiceError } from '@zonewright/service-kit';
import { findZoneNamed } from '@zonewright/zones';
import type { TsigClient } from '../access/tsig-client.js';
import type { Context } from '../context/context.js';
import type { TenantRequest } from '../http/operation.js';
import { jsonReply, type StoredReply } from '../http/reply.js';
import { readRelayedUpdate, type RelayedUpdate } from './relayed-update.js';
import { updateZone, type Updated } from './update-zone.js';

type Signed = ReadMessage & { readonly tsig: Tsig };

/**
 * POST /internal/v1/updates: the answer to a dynamic update (RFC 2136) that a nameserver was sent, as octets, and the serial of
 * its zone, which the nameserver waits for. TSIG comes first (RFC 8945 s5.2); what cannot be checked or done now is an error
 * of this API.
 */
export async function relayUpdate(context: Context, request: TenantRequest): Promise<StoredReply> {
  const { tsig } = context;
  if (tsig === undefined) throw new ServiceError('unavailable', 'No identity service.');
  const relayed = readRelayedUpdate(request.body);
  request.audit({ source: relayed.source, transport: relayed.transport });
  const message = readSigned(relayed.octets);
  if (!isSigned(message)) return reply(message);
  const zone = await findZoneOf(context, message);
  const signer = await tsig.check({
    message: relayed.octets,
    source: relayed.source,
    tenantId: zone?.tenantId,
  });
  if (signer.fault !== null) return await replyToFault(tsig, relayed, message, signer.fault);
  const { caller, accessKeyId } = signer;
  request.audit({ accessKeyId, userId: caller?.userId, tenantId: caller?.tenantId });
  const fault = faultOf(message, zone !== undefined);
  let updated: Updated = { rcode: fault ?? RCODE.REFUSED };
  if (fault === undefined && caller !== undefined && zone !== undefined) {
    const signed = { message, zone, ...relayed, mac: message.tsig.mac };
    updated = await updateZone(context, { ...request, caller: { ...caller, accessKeyId } }, signed);
  }
  request.audit({ zone: zone?.name, rcode: updated.rcode, serial: updated.serial });
  const answer = answerOf(message, updated.rcode);
  return reply(await tsig.sign(relayed.octets, answer), zone?.name, updated.serial);
}

/** The message, or the answer to what is none or has no TSIG. */
function readSigned(octets: Buffer): Signed | Uint8Array {
  try {
    const message = readMessage(octets);
    const { tsig } = message;
    return tsig === undefined ? answerOf(message, RCODE.REFUSED) : { ...message, tsig };
  } catch (error) {
    if (!(error instanceof MessageSyntaxError)) throw error;
    return writeMessage(answerHeader(readHeader(octets), RCODE.FORMERR));
  }
}

function isSigned(message: Signed | Uint8Array): message is Signed {
  return !(message instanceof Uint8Array);
}

async function findZoneOf({ db }: Context, { questions: [question] }: ReadMessage) {
  return question && (await findZoneNamed(db, nameOfRecord(question)));
}

/** RFC 2136 s3.1: one zone, by its SOA, and one of ours. */
function faultOf(message: Signed, hasZone: boolean): number | undefined {
  const { questions } = message;
  const [zone, ...others] = questions;
  if (opcodeOf(message) !== OPCODE.UPDATE) return RCODE.NOTIMP;
  if (zone?.type !== RR_TYPE.SOA || others.length > 0) return RCODE.FORMERR;
  return zone.class === RR_CLASS.IN && hasZone ? undefined : RCODE.NOTAUTH;
}

async function replyToFault(
  tsig: TsigClient,
  { octets }: RelayedUpdate,
  message: Signed,
  fault: Parameters<typeof withTsigFault>[1]['fault'],
): Promise<StoredReply> {
  if (fault === 'FORMERR') return reply(answerOf(message, RCODE.FORMERR));
  const answer = answerOf(message, RCODE.NOTAUTH);
  if (fault === 'BADTIME') return reply(await tsig.sign(octets, answer, true));
  return reply(withTsigFault(answer, { tsig: message.tsig, fault, key: undefined }, 0));
}

function answerOf(message: ReadMessage, rcode: number): Uint8Array {
  const { questions } = message;
  return writeMessage({ ...answerHeader(message, rcode), questions });
}

function reply(message: Uint8Array, zone?: string, serial?: number): StoredReply {
  const octets = Buffer.from(message).toString('base64');
  return jsonReply({
    message: octets,
    published: serial === undefined ? null : { zone, serial },
  });
}
