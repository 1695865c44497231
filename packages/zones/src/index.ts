export type { Caller } from './caller.js';
export { createZone } from './domains/create-zone.js';
export { deleteZone } from './domains/delete-zone.js';
export { getZone } from './domains/get-zone.js';
export { updateZoneContent } from './domains/update-zone.js';
export { changedZoneContent, newZoneContent, type ZoneContent } from './domains/zone-content.js';
export { ZoneReader } from './domains/zone-reader.js';
export { findZone, listZones } from './domains/zone-store.js';
export { type LockedZone, type Zone, zoneEtag, type ZoneTarget } from './domains/zone.js';
export {
  findChangeSerial,
  findHistoryStart,
  type HistoryStart,
  type JournalChange,
  listChanges,
} from './history/history-store.js';
export { describeMissingSerial } from './history/missing-serial.js';
export { type RestoreRequest, restoreZone } from './history/restore-zone.js';
export { undeleteZone } from './history/undelete-zone.js';
export type { JournalAction, RowImage } from './journal/journal-store.js';
export { listServers } from './nameservers/server-store.js';
export { requireMatch } from './precondition.js';
export { findLimits, findWriteLimit } from './quotas/limits-store.js';
export {
  createRecord,
  deleteRecord,
  type RecordTarget,
  updateRecord,
} from './records/change-records.js';
export { addEffectiveTtls } from './records/effective-ttls.js';
export { getRecord } from './records/get-record.js';
export { lockZoneForRecords } from './records/lock-zone.js';
export { findHostingZones, type HostingZone } from './records/mail-target-rule.js';
export { creation, modification, type RecordChange } from './records/record-change.js';
export {
  changedRecordContent,
  completeContent,
  newRecordContent,
} from './records/record-content.js';
export { checkConfirmation, checkReplacement } from './records/record-guard.js';
export { listRecords, type RecordFilter } from './records/record-list-store.js';
export { requireRecordQuota } from './records/record-rules.js';
export {
  type FileSource,
  findRecord,
  listAllRecords,
  listForFile,
  listRecordsById,
} from './records/record-store.js';
export {
  isSameContent,
  type RecordContent,
  recordEtag,
  type ShownRecord,
  type ZoneRecord,
} from './records/record.js';
export { separateBreaches } from './records/separate-breaches.js';
export { writeChanges } from './records/write-changes.js';
export { MX_TARGET_CHECKS, type MxTargetCheck } from './rules.js';
export { asTimestamp, type Timestamp } from './sql/timestamps.js';
export { inTransaction } from './transactions/in-transaction.js';
export { Undo } from './transactions/undo.js';
export type { UnitOfWork } from './transactions/unit-of-work.js';
