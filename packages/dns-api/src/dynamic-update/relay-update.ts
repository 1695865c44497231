import {
  nameOfRecord,
  OPCODE,
  opcodeOf,
  RCODE,
  type ReadMessage,
  RR_CLASS,
  RR_TYPE,
} from '@zonewright/dns-records';
import { ServiceError } from '@zonewright/service-kit';
import { type Caller, findZoneNamed } from '@zonewright/zones';
import type { Context } from '../context/context.js';
import type { TenantRequest } from '../http/operation.js';
import { jsonReply, type StoredReply } from '../http/reply.js';
import { readRelayedUpdate, type RelayedMessage } from './relayed-message.js';
import { answerOf, answerToFault, isSigned, readSigned, type Signed } from './signed-message.js';
import { updateZone, type Updated } from './update-zone.js';

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
  if (signer.fault !== null)
    return reply(await answerToFault(tsig, relayed.octets, message, signer.fault));
  const { accessKeyId, caller } = signer;
  request.audit({ accessKeyId, userId: caller?.userId, tenantId: caller?.tenantId });
  const signed = { ...request, caller: caller && { ...caller, accessKeyId } };
  const { rcode, serial } = await update(context, signed, { message, relayed, zone });
  request.audit({ zone: zone?.name, rcode, serial });
  return reply(await tsig.sign(relayed.octets, answerOf(message, rcode)), zone?.name, serial);
}

/** By who has shown to be who they are; no caller: nobody who may do anything with the zone. */
async function update(
  context: Context,
  { caller, ...request }: Omit<TenantRequest, 'caller'> & { readonly caller: Caller | undefined },
  { message, relayed, zone }: { message: Signed; relayed: RelayedMessage; zone: FoundZone },
): Promise<Updated> {
  const fault = faultOf(message, zone !== undefined);
  if (fault !== undefined) return { rcode: fault };
  if (caller === undefined || zone === undefined) return { rcode: RCODE.REFUSED };
  const signed = { message, zone, ...relayed, mac: message.tsig.mac };
  return await updateZone(context, { ...request, caller }, signed);
}

type FoundZone = Awaited<ReturnType<typeof findZoneOf>>;

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

function reply(message: Uint8Array, zone?: string, serial?: number): StoredReply {
  const octets = Buffer.from(message).toString('base64');
  return jsonReply({
    message: octets,
    published: serial === undefined ? null : { zone, serial },
  });
}
