import type { Publication } from '../../api/publication.js';

/** Delays of one nameserver, in milliseconds. */
export interface Delays {
  readonly name: string;
  /** Number of changes with a known delay. */
  readonly changes: number;
  readonly p50: number;
  readonly p99: number;
}

/** Returns the delays of each nameserver over some changes. Nameservers without a delay are omitted. */
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

/** Returns the percentile by nearest rank, which is a measured value. */
function rank(sorted: readonly number[], part: number): number {
  return sorted[Math.ceil(part * sorted.length) - 1] ?? 0;
}
