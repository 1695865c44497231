import { RCODE } from '@zonewright/dns-records';
import type { Context } from '../context/context.js';

export type FoundZone = NonNullable<ReturnType<Context['zoneNames']['findKnown']>>;

/**
 * Answers a message for the zone of this name. A known zone may have been deleted or transferred to another tenant in
 * the meantime, so a refusal is final only after a lookup.
 */
export async function forZone<T extends { readonly rcode?: number | undefined }>(
  { zoneNames }: Context,
  name: string,
  answer: (zone: FoundZone | undefined) => Promise<T>,
): Promise<T> {
  const known = zoneNames.findKnown(name);
  const done = known && (await answer(known));
  if (done !== undefined && done.rcode !== RCODE.REFUSED) return done;
  const zone = await zoneNames.find(name);
  if (done !== undefined && isSameZone(zone, known)) return done;
  return await answer(zone);
}

function isSameZone(one: FoundZone | undefined, other: FoundZone | undefined): boolean {
  return one?.id === other?.id && one?.tenantId === other?.tenantId;
}
