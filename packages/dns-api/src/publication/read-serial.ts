/** Reads the serial in a path. An invalid one is a serial that no domain ever had. */
export function readSerial(text: string): number {
  return /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
}
