import type { ChangeSource } from '../request/caller.js';

/** Checks that apply to a source of changes. */
export interface Policy {
  /** Whether rules, rights and quotas of users apply. */
  readonly isOfUser: boolean;
  /** Whether rows are validated again, because they come from the history instead of a request. */
  readonly checksContent: boolean;
  /** Whether records of a secondary zone may be written. */
  readonly mayWriteSecondary: boolean;
  /** Whether DS records are deleted with the NS records of their delegation. */
  readonly removesOrphanedDs: boolean;
}

const USER: Policy = {
  isOfUser: true,
  checksContent: false,
  mayWriteSecondary: false,
  removesOrphanedDs: true,
};
const PAST: Policy = { ...USER, checksContent: true };
const PRIMARY: Policy = {
  isOfUser: false,
  checksContent: false,
  mayWriteSecondary: true,
  removesOrphanedDs: false,
};
const SERVICE: Policy = { ...USER, isOfUser: false };

export const POLICIES: Readonly<Record<ChangeSource, Policy>> = {
  api: USER,
  designate: USER,
  batch: USER,
  import: USER,
  restore: PAST,
  revert: PAST,
  'dynamic-update': USER,
  dyndns: USER,
  acme: USER,
  transfer: PRIMARY,
  expiry: SERVICE,
  operator: SERVICE,
};
