/**
 * By which way a change came, as the journal has it: the program that received it says so, and never its client. A new way is
 * added here and nowhere else.
 */
export const CHANGE_SOURCES = [
  'api',
  'designate',
  'batch',
  'import',
  'restore',
  'revert',
  'dynamic-update',
  'dyndns',
  'acme',
  'transfer',
  'expiry',
  'operator',
] as const;
export type ChangeSource = (typeof CHANGE_SOURCES)[number];
