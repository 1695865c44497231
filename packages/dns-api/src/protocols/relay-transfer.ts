import {
  EXTENDED_ERROR,
  type ExtendedError,
  nameOfRecord,
  OPCODE,
  opcodeOf,
  RCODE,
  type ReadMessage,
  requestDigest,
  RR_CLASS,
  RR_TYPE,
} from '@zonewright/dns-records';
import { ServiceError } from '@zonewright/service-kit';
import { type Caller, mayTransferZone } from '@zonewright/zones';
import { requireAllowed } from '../access/require-allowed.js';
import type { Context } from '../context/context.js';
import type { TenantRequest } from '../http/operation.js';
import { jsonReply, type StoredReply } from '../http/reply.js';
import { inFairOrder } from '../limits/tenant-turn.js';
import {
  answerOf,
  answerToFault,
  checkAnswers,
  getTsig,
  isSigned,
  readRelayedTransfer,
  readRelayedUpdate,
  readSigned,
  type RelayedMessage,
  type Signed,
} from './relayed-message.js';
import { type FoundZone, forZone } from './relayed-zone.js';

/** Texts for the TSIG errors of RFC 8945 s5.2. */
const FAULTS: Readonly<Record<string, string>> = {
  BADKEY: 'No active access key or transfer key has this name and algorithm.',
  BADSIG: 'The secret of the key is wrong.',
  BADTIME: 'The clock of the client is wrong.',
};

const NOT_OURS = { code: EXTENDED_ERROR.NOT_AUTHORITATIVE, text: 'This zone is not served here.' };
const WRONG_TSIG = 'The TSIG record of the message is wrong.';
const NOT_ALLOWED = 'This access key may not read the whole zone.';
const NO_TRANSFER = 'The message does not request the transfer of a zone.';

/** A request for the transfer of a zone, and the zone. */
interface Asked {
  readonly message: Signed;
  readonly relayed: RelayedMessage;
  readonly zone: FoundZone | undefined;
}

/** The response: NOERROR without records if the key may transfer the zone now. */
interface Permitted {
  readonly rcode: number | undefined;
  readonly message: Uint8Array;
}

/**
 * POST /internal/v1/transfers: whether the access key that signed a request for AXFR or IXFR may transfer the zone now.
 * The response in octets is NOERROR, or the refusal, whose extended error (RFC 8914) has the reason.
 */
export async function permitTransfer(
  context: Context,
  request: TenantRequest,
): Promise<StoredReply> {
  const relayed = readRelayedUpdate(request.body);
  request.audit({ source: relayed.source, transport: relayed.transport });
  const message = readSigned(relayed.octets);
  if (!isSigned(message)) return reply(message, undefined);
  const { tenantId, message: answer } = await forZone(context, zoneOf(message), async (zone) => ({
    ...(await permit(context, request, { message, relayed, zone })),
    tenantId: zone?.tenantId,
  }));
  return reply(answer, tenantId);
}

/**
 * POST /internal/v1/signed-transfers: the TSIG records of the messages of a permitted transfer. The tenants' shares
 * limit how many are signed at a time.
 */
export async function signTransfer(context: Context, request: TenantRequest): Promise<StoredReply> {
  const { octets, answers } = readRelayedTransfer(request.body);
  const message = readSigned(octets);
  const name = isSigned(message) ? zoneOf(message) : undefined;
  if (!isSigned(message) || name === undefined) throw new ServiceError('forbidden', NO_TRANSFER);
  checkAnswers(message, answers);
  const { turn } = request;
  const tenantId = context.zoneNames.findKnown(name)?.tenantId ?? name;
  const records = await inFairOrder({ turn, places: context.shares.short, tenantId }, () =>
    getTsig(context).signTransfer(octets, answers),
  );
  return jsonReply({ records: records.map((record) => Buffer.from(record).toString('base64')) });
}

/** @throws ServiceError `forbidden` for another message than AXFR or IXFR (RFC 5936 s2.1, RFC 1995 s3) */
function zoneOf(message: ReadMessage): string {
  const [question, ...others] = message.questions;
  const isTransfer = question?.type === RR_TYPE.AXFR || question?.type === RR_TYPE.IXFR;
  const isQuery = opcodeOf(message) === OPCODE.QUERY && question?.class === RR_CLASS.IN;
  if (!isTransfer || !isQuery || others.length > 0)
    throw new ServiceError('forbidden', NO_TRANSFER);
  return nameOfRecord(question);
}

async function permit(context: Context, request: TenantRequest, asked: Asked): Promise<Permitted> {
  const tsig = getTsig(context);
  const {
    message,
    relayed: { octets, source },
    zone,
  } = asked;
  const signer = await tsig.check({
    message: octets,
    source,
    tenantId: zone?.tenantId,
    answer: expectedAnswer(message, zone),
  });
  if (signer.fault !== null) {
    const { fault } = signer;
    const error = prohibited(FAULTS[fault] ?? WRONG_TSIG);
    const answer = await answerToFault(tsig, { octets, message, fault, error });
    return { rcode: undefined, message: answer };
  }
  const { accessKeyId, caller } = signer;
  request.audit({ accessKeyId, userId: caller?.userId, tenantId: caller?.tenantId });
  if (zone === undefined) return { rcode: RCODE.NOTAUTH, message: signer.answer };
  const error =
    refusalOf(caller, zone, source) ??
    (await exhaustionOf(context, { accessKeyId, tenantId: zone.tenantId, asked }));
  request.audit({ zone: zone.name, refused: error?.text });
  if (error === undefined) return { rcode: RCODE.NOERROR, message: signer.answer };
  const refusal = answerOf(message, RCODE.REFUSED, { error });
  return { rcode: RCODE.REFUSED, message: await tsig.sign(octets, refusal) };
}

function expectedAnswer(message: Signed, zone: FoundZone | undefined): Uint8Array {
  return zone === undefined
    ? answerOf(message, RCODE.NOTAUTH, { error: NOT_OURS })
    : answerOf(message, RCODE.NOERROR);
}

/** Returns the reason if the key may not transfer the zone. */
function refusalOf(
  caller: Caller | undefined,
  zone: FoundZone,
  source: string,
): ExtendedError | undefined {
  if (caller === undefined) return prohibited(NOT_ALLOWED);
  try {
    requireAllowed(caller, { access: 'tenant', restricted: 'by-rules' }, source);
  } catch (error) {
    if (error instanceof ServiceError) return prohibited(error.message);
    throw error;
  }
  return mayTransferZone(caller, zone) ? undefined : prohibited(NOT_ALLOWED);
}

/** Returns the reason if the key, its tenant or this message has transferred enough. */
async function exhaustionOf(
  { transfers }: Context,
  {
    accessKeyId,
    tenantId,
    asked: {
      message: { tsig },
      relayed: { octets },
    },
  }: { readonly accessKeyId: string; readonly tenantId: string; readonly asked: Asked },
): Promise<ExtendedError | undefined> {
  const digest = Buffer.from(requestDigest(octets, tsig)).toString('base64url');
  const text = await transfers.take({ accessKeyId, tenantId, digest, fudge: tsig.fudge });
  return text === undefined ? undefined : { code: EXTENDED_ERROR.OTHER, text };
}

function prohibited(text: string): ExtendedError {
  return { code: EXTENDED_ERROR.PROHIBITED, text };
}

function reply(message: Uint8Array, tenantId: string | undefined): StoredReply {
  return jsonReply({
    message: Buffer.from(message).toString('base64'),
    tenantId: tenantId ?? null,
  });
}
