import { type ReadMessage, RCODE } from '@zonewright/dns-records';
import { ServiceError } from '@zonewright/service-kit';
import { changeAlone, changeOfUpdate, type Zone } from '@zonewright/zones';
import { requireAllowed } from '../access/require-allowed.js';
import type { Context } from '../context/context.js';
import { identifyRepetition } from '../http/answer-once.js';
import type { TenantRequest } from '../http/operation.js';
import { NOTE_HEADER } from '../http/reply.js';
import { jsonReply } from '../http/reply.js';
import { type Answer, writeOnce } from '../http/write.js';
import { addToQueue } from '../http/change-queue.js';

/** An update with a valid TSIG. */
interface SignedUpdate {
  readonly message: ReadMessage;
  readonly zone: Pick<Zone, 'id' | 'name'>;
  readonly transport: 'udp' | 'tcp';
  readonly source: string;
  /** Digest that identifies a repeated message (`requestDigest`). */
  readonly digest: Uint8Array;
}

/** Result of an update. */
export interface Updated {
  readonly rcode: number;
  /** The zone's serial; undefined if the update was refused. */
  readonly serial?: number | undefined;
}

/** The kinds of errors that callers cause, in contrast to faults of this service. */
const REFUSED_KINDS: ReadonlySet<string> = new Set([
  'invalid',
  'unauthenticated',
  'forbidden',
  'not-found',
  'conflict',
  'over-quota',
]);

/**
 * Performs an update for the user whose key signed it, once for each signed message. A repeated message, which is
 * common over UDP, gets the response to the first. An update that violates our own rules is REFUSED.
 * @throws ServiceError `unavailable`, `rate-limited`; Overload
 */
export async function updateZone(
  context: Context,
  request: TenantRequest,
  update: SignedUpdate,
): Promise<Updated> {
  try {
    requireUsable(request, update);
    const asked = asWrite(request, update);
    const kept = await identifyRepetition(asked);
    const { reply } = await addToQueue(update.zone.id, {
      ...{ context, request: asked, isDryRun: false },
      toChange: (work) => ({
        work,
        ...changeOfUpdate(update.message, update.zone.name),
        ...{ kept, toReply: jsonReply },
      }),
      changeAlone: (own) => updateAlone(context, own, update),
    });
    return JSON.parse(reply.body) as Updated;
  } catch (error) {
    if (!(error instanceof ServiceError) || !REFUSED_KINDS.has(error.kind)) throw error;
    request.audit({ refused: error.message });
    return { rcode: RCODE.REFUSED };
  }
}

/** Performs an update in a separate transaction. */
async function updateAlone(
  context: Context,
  request: TenantRequest,
  update: SignedUpdate,
): Promise<Answer> {
  return await writeOnce(context, request, async (work) => {
    const { message, zone } = update;
    const { rcode, after } = await changeAlone(work, zone.id, changeOfUpdate(message, zone.name));
    return { reply: jsonReply({ rcode, serial: after.serial }) };
  });
}

/**
 * Requires that the key may be used for this message. Over UDP the source address may be forged, so it proves nothing.
 * @throws ServiceError
 */
function requireUsable({ caller }: TenantRequest, { transport, source }: SignedUpdate): void {
  const { key } = caller;
  requireAllowed(caller, { access: 'tenant', restricted: 'by-rules' }, source);
  if (key !== undefined && key.networks.length > 0 && transport === 'udp') {
    throw new ServiceError(
      'forbidden',
      'A key that is restricted to networks can be used over TCP only.',
    );
  }
}

/** Returns the update as a request with an idempotency key, as over HTTP, and with a note for the history. */
function asWrite(request: TenantRequest, { digest, zone, source }: SignedUpdate): TenantRequest {
  const idempotencyKey = `tsig:${Buffer.from(digest).toString('hex')}`;
  return {
    ...request,
    target: `/internal/v1/updates/${zone.id}`,
    params: {},
    query: new URLSearchParams(),
    // The body is not needed, because the digest covers the whole message.
    body: undefined,
    header: (name) => (name === NOTE_HEADER ? `from ${source}` : undefined),
    headers: { ...request.headers, idempotencyKey, prefer: undefined },
  };
}
