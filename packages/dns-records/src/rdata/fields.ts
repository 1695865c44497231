import { RdataSyntaxError } from '../problems/dns-syntax-error.js';
import { inQuotes } from '../problems/in-quotes.js';

const MAX_UINT16 = 0xffff;

/** Whether the text is a decimal number of 0 to 65535, without a sign or blanks. */
export function isUint16Text(text: string): boolean {
  return /^\d{1,5}$/.test(text) && Number(text) <= MAX_UINT16;
}

/** Throws RdataSyntaxError unless the text is a decimal number of 0 to 65535. */
export function parseUint16(field: string, text: string): number {
  if (!isUint16Text(text)) {
    throw new RdataSyntaxError(
      `The ${field} ${inQuotes(text)} is not a number; write one from 0 to ${MAX_UINT16}.`,
    );
  }
  return Number(text);
}

/** Throws RdataSyntaxError unless there is a priority of 0 to 65535, as MX and SRV need. */
export function requirePriority(type: string, priority: number | null): number {
  if (priority === null || !isUint16(priority)) {
    throw new RdataSyntaxError(
      `${type} needs a priority from 0 to ${MAX_UINT16}, not ${String(priority)}.`,
    );
  }
  return priority;
}

/** Whether a value is an integer of 0 to 65535. */
function isUint16(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 0 && Number(value) <= MAX_UINT16;
}

/** The fields of data that blanks (space, tab) separate. */
export function splitFields(data: string): string[] {
  return data.split(/[ \t]+/).filter((field) => field !== '');
}
