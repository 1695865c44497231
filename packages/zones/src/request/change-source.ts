/**
 * Sources of changes in the journal. The program that receives a change sets it, never the client. A new source is added only here.
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
