import {
  nameOfRecord,
  OPCODE,
  opcodeOf,
  RCODE,
  requestDigest,
  RR_CLASS,
  RR_TYPE,
} from '@zonewright/dns-records';
import { Overload, ServiceError } from '@zonewright/service-kit';
import type { Caller } from '@zonewright/zones';
import type { Context } from '../context/context.js';
import type { TenantRequest } from '../http/operation.js';
import { jsonReply, type StoredReply } from '../http/reply.js';
import {
  answerOf,
  answerToFault,
  getTsig,
  isSigned,
  readRelayedUpdate,
  readRelayedUpdates,
  readSigned,
  type RelayedMessage,
  type Signed,
} from './relayed-message.js';
import { type FoundZone, forZone } from './relayed-zone.js';
import { updateZone, type Updated } from './update-zone.js';

/** The response to a message. */
interface Relayed {
  readonly message: string;
  /** The serial after the message's changes; null if it changed nothing. */
  readonly published: { readonly zone: string | undefined; readonly serial: number } | null;
  /** The tenant of the zone. The nameserver counts further messages by tenant. Null if there is no such zone. */
  readonly tenantId: string | null;
}

/** Response if an update cannot be checked or performed now: the nameserver answers SERVFAIL. */
const NOT_RELAYED = { message: null };

/**
 * POST /internal/v1/updates returns the response in octets to a dynamic update (RFC 2136) that a nameserver received,
 * and the serial of its zone, which the nameserver waits for. TSIG is checked first (RFC 8945, section 5.2). An update
 * that cannot be checked or performed now is an error of this API. `messages` that arrived together are answered in
 * order; those that cannot be answered are null. POST /internal/v1/long-updates does the same for a message with many
 * updates, which may take longer.
 */
export async function relayUpdate(context: Context, request: TenantRequest): Promise<StoredReply> {
  const messages = readRelayedUpdates(request.body);
  if (messages === undefined) {
    return jsonReply(await relayOne(context, request, readRelayedUpdate(request.body)));
  }
  const updates: object[] = [];
  request.audit({ updates });
  const answers = await Promise.all(
    messages.map((relayed) => relayAmongOthers(context, request, { relayed, updates })),
  );
  return jsonReply({ answers });
}

/** Relays one of several messages of a request, which share one slot at the gate. */
async function relayAmongOthers(
  context: Context,
  request: TenantRequest,
  { relayed, updates }: { readonly relayed: RelayedMessage; readonly updates: object[] },
): Promise<Relayed | typeof NOT_RELAYED> {
  const facts = {};
  updates.push(facts);
  const own = {
    ...request,
    turn: { ...inTheTurnOf(request), leave: () => undefined },
    audit: (more: object) => {
      Object.assign(facts, more);
    },
  };
  try {
    return await relayOne(context, own, relayed);
  } catch (error) {
    const isFault = !(error instanceof ServiceError || error instanceof Overload);
    if (isFault) context.log.error({ err: error }, 'an update in a batch failed');
    own.audit({ outcome: 'failure' });
    return NOT_RELAYED;
  }
}

function inTheTurnOf({ turn }: TenantRequest) {
  return {
    aside: async <T>(wait: () => Promise<T>) => await wait(),
    checkAwaited: () => {
      turn.checkAwaited();
    },
  };
}

async function relayOne(
  context: Context,
  request: TenantRequest,
  relayed: RelayedMessage,
): Promise<Relayed> {
  request.audit({ source: relayed.source, transport: relayed.transport });
  const message = readSigned(relayed.octets);
  if (!isSigned(message)) return reply(message);
  const [question] = message.questions;
  const asked = { message, relayed };
  const relay = async (zone?: FoundZone) => await relaySigned(context, request, { ...asked, zone });
  const { relayed: answer } = await (question === undefined
    ? relay()
    : forZone(context, nameOfRecord(question), relay));
  return answer;
}

interface Asked {
  readonly message: Signed;
  readonly relayed: RelayedMessage;
  readonly zone: FoundZone | undefined;
}

async function relaySigned(
  context: Context,
  request: TenantRequest,
  asked: Asked,
): Promise<{ readonly relayed: Relayed; readonly rcode?: number }> {
  const tsig = getTsig(context);
  const {
    message,
    relayed: { octets, source },
    zone,
  } = asked;
  const expected = faultOf(message, zone !== undefined) ?? RCODE.NOERROR;
  const signer = await tsig.check({
    message: octets,
    source,
    tenantId: zone?.tenantId,
    answer: answerOf(message, expected),
  });
  if (signer.fault !== null)
    return { relayed: reply(await answerToFault(tsig, { octets, message, fault: signer.fault })) };
  const { accessKeyId, caller } = signer;
  request.audit({ accessKeyId, userId: caller?.userId, tenantId: caller?.tenantId });
  const signed = { ...request, caller: caller && { ...caller, accessKeyId } };
  const { rcode, serial } = await update(context, signed, asked);
  request.audit({ zone: zone?.name, rcode, serial });
  const hasComeTrue = rcode === expected;
  const sign = () => tsig.sign(octets, answerOf(message, rcode));
  const relayed = reply(hasComeTrue ? signer.answer : await sign(), zone, serial);
  return { relayed, rcode };
}

/** Performs an update of an authenticated caller. If `caller` is undefined, the update is refused. */
async function update(
  context: Context,
  { caller, ...request }: Omit<TenantRequest, 'caller'> & { readonly caller: Caller | undefined },
  { message, relayed, zone }: Asked,
): Promise<Updated> {
  const fault = faultOf(message, zone !== undefined);
  if (fault !== undefined) return { rcode: fault };
  if (caller === undefined || zone === undefined) return { rcode: RCODE.REFUSED };
  const digest = requestDigest(relayed.octets, message.tsig);
  const signed = { message, zone, ...relayed, digest };
  return await updateZone(context, { ...request, caller }, signed);
}

/** Returns the error for a message that does not name exactly one of our zones by its SOA (RFC 2136, section 3.1). */
function faultOf(message: Signed, hasZone: boolean): number | undefined {
  const { questions } = message;
  const [zone, ...others] = questions;
  if (opcodeOf(message) !== OPCODE.UPDATE) return RCODE.NOTIMP;
  if (zone?.type !== RR_TYPE.SOA || others.length > 0) return RCODE.FORMERR;
  return zone.class === RR_CLASS.IN && hasZone ? undefined : RCODE.NOTAUTH;
}

function reply(message: Uint8Array, zone?: FoundZone, serial?: number): Relayed {
  return {
    message: Buffer.from(message).toString('base64'),
    published: serial === undefined ? null : { zone: zone?.name, serial },
    tenantId: zone?.tenantId ?? null,
  };
}
