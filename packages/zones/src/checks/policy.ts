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
  /** Whether an MX record without an address is a warning, since the file of another service may have been so. */
  readonly warnsOfMailTargets: boolean;
}

const USER: Policy = {
  isOfUser: true,
  checksContent: false,
  mayWriteSecondary: false,
  removesOrphanedDs: true,
  warnsOfMailTargets: false,
};
const PAST: Policy = { ...USER, checksContent: true };
const PRIMARY: Policy = {
  isOfUser: false,
  checksContent: false,
  mayWriteSecondary: true,
  removesOrphanedDs: false,
  warnsOfMailTargets: false,
};
const SERVICE: Policy = { ...USER, isOfUser: false };
const FILE: Policy = { ...USER, warnsOfMailTargets: true };

export const POLICIES: Readonly<Record<ChangeSource, Policy>> = {
  api: USER,
  designate: USER,
  batch: USER,
  import: FILE,
  restore: PAST,
  revert: PAST,
  'dynamic-update': USER,
  dyndns: USER,
  acme: USER,
  transfer: PRIMARY,
  expiry: SERVICE,
  operator: SERVICE,
};
