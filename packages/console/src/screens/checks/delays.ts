import type { Publication } from '../../api/publication.js';

/** How long one nameserver took, in milliseconds. */
export interface Delays {
  readonly name: string;
  /** How many changes it is known of. */
  readonly changes: number;
  readonly p50: number;
  readonly p99: number;
}

/** Returns the delays of each nameserver over some changes. Nameservers without a delay are left out. */
export function sumUpDelays(publications: readonly Publication[]): Delays[] {
  const byServer = new Map<string, number[]>();
  for (const { nameservers } of publications)
    for (const { name, delay_ms: ms } of nameservers)
      if (ms !== null) byServer.set(name, [...(byServer.get(name) ?? []), ms]);
  return [...byServer].map(([name, delays]) => {
    const sorted = delays.toSorted((a, b) => a - b);
    return { name, changes: sorted.length, p50: rank(sorted, 0.5), p99: rank(sorted, 0.99) };
  });
}

/** The nearest rank: one that was measured. */
function rank(sorted: readonly number[], part: number): number {
  return sorted[Math.ceil(part * sorted.length) - 1] ?? 0;
}
