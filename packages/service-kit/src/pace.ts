/** How often something may be done again and again, so that it takes no more than its part of a busy machine. */
export interface Pace {
  /** How many times as long as it took. */
  readonly share: number;
  readonly leastMs: number;
  readonly mostMs: number;
}

/** Milliseconds to keep after what took `tookMs`: longer where everything takes its time, within the bounds. */
export function intervalAfter(tookMs: number, { share, leastMs, mostMs }: Pace): number {
  return Math.min(Math.max(tookMs * share, leastMs), mostMs);
}
