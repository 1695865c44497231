import { it } from '@jest/globals';

/** The faults, by their number in the list of the issue on the write engine, or by their subject. */
type Fault =
  | `A${1 | 2 | 3 | 4 | 5}`
  | `B${6 | 7 | 8 | 9 | 10}`
  | `C${11 | 12 | 13 | 14 | 15}`
  | 'D18'
  | 'E21'
  | 'F22'
  | 'DS'
  | 'DS of a new child'
  | 'wildcard NS'
  | 'large RRset'
  | 'large record'
  | 'shared delete'
  | 'renamed into child'
  | 'large update'
  | 'prerequisites'
  | 'repeated update'
  | 'signing wish';

/**
 * Known faults of the write paths that have not been fixed. The random tests avoid them. A test of such a fault must
 * fail; a fix removes the fault from this list.
 */
const OPEN_FAULTS: readonly Fault[] = [];

export function isOpen(fault: Fault): boolean {
  return OPEN_FAULTS.includes(fault);
}

/** Declares a test of the right behaviour, which must fail while the fault is open. */
export function itHolds(fault: Fault, title: string, test: () => Promise<void>): void {
  const declare = isOpen(fault) ? it.failing : it;
  declare(`${fault}: ${title}`, test, 120_000);
}
