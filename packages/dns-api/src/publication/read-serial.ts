/** The serial that a path names; what is none, no domain ever had. */
export function readSerial(text: string): number {
  return /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
}
