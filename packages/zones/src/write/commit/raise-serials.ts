import type { Database } from '@zonewright/database';
import { nextSerial } from '@zonewright/dns-records';
import type { Clock } from '@zonewright/service-kit';
import { appendChangesets } from './journal-store.js';
import { toZoneImage } from '../../rows/images.js';
import { listZonesById } from '../../rows/zone-store.js';
import { setSerials } from './zone-rows.js';

/**
 * Increases the serials of locked zones without another change, and adds a journal entry for each. The caller wakes the
 * nameservers.
 */
export async function increaseSerials(
  trx: Database,
  ids: readonly string[],
  {
    requestId,
    clock,
    exceeded,
  }: {
    readonly requestId: string;
    readonly clock: Clock;
    /** Serials by zone that other servers already have, and that the new serials must exceed. */
    readonly exceeded?: ReadonlyMap<string, number>;
  },
): Promise<void> {
  const steps = (await listZonesById(trx, ids)).map((zone) => {
    const image = toZoneImage(zone);
    return {
      zoneId: zone.id,
      serialBefore: zone.serial,
      serialAfter: nextSerial(exceeded?.get(zone.id) ?? zone.serial, clock.now() / 1_000),
      entry: { action: 'domain-update', before: image, after: image } as const,
    };
  });
  await appendChangesets(trx, { userId: 'operator', requestId, source: 'operator' }, steps);
  await setSerials(
    trx,
    steps.map(({ zoneId: id, serialAfter: serial }) => ({ id, serial })),
  );
}
