import { compareSerials } from '@zonewright/dns-records';

/** Lost changes of a zone that are plausible; a report beyond that is not followed. */
const MOST_LOST_CHANGES = 1_000_000;
const SERIAL_SPACE = 2 ** 32;

/**
 * Latest serial that a zone's next version must exceed: one that a nameserver or a secondary has, and that is not older than
 * the zone's own. Undefined if there is none. A serial that no history of lost changes explains is ignored: a report must
 * not use up the zone's serials.
 */
export function serialToExceed(
  own: number,
  answered: readonly number[],
  nowSeconds: number,
): number | undefined {
  const now = Math.floor(nowSeconds) % SERIAL_SPACE;
  let latest: number | undefined;
  for (const serial of answered) {
    if (compareSerials(serial, own) < 0 || !isPlausible(serial, own, now)) continue;
    if (latest === undefined || compareSerials(serial, latest) > 0) latest = serial;
  }
  return latest;
}

/** Serials follow the clock, or count changes from the zone's own. */
function isPlausible(serial: number, own: number, now: number): boolean {
  return [own, now].some(
    (base) => compareSerials(serial, (base + MOST_LOST_CHANGES) % SERIAL_SPACE) <= 0,
  );
}
