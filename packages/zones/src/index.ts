export { hasRules, mayFind, mayUseZone } from './access/key-rules.js';
export { isOperator } from './access/key-rules.js';
export type { RestrictedKey } from './request/restricted-key.js';
export { readApexProgress } from './apex/apex-store.js';
export { getZoneApex } from './nameservers/zone-apex-store.js';
export { rolloutApex } from './apex/raise-zones.js';
export type { Batch, BatchItem } from './batch/batch.js';
export { type BatchResult, itemPath, runBatch } from './batch/run-batch.js';
export type { AnyViewer, Caller, Viewer } from './request/caller.js';
export { CHANGE_SOURCES, type ChangeSource } from './request/change-source.js';
export type { RecordChange } from './write/changes/record-change.js';
export {
  listDelegations,
  listMixedTtls,
  listRecentChanges,
  listReferences,
  listTypesAt,
  MAX_TARGETS,
  type Reference,
} from './domains/check-store.js';
export { createZone } from './domains/create-zone.js';
export { deleteZone } from './domains/delete-zone.js';
export { getZone, zoneNotFound } from './rows/get-zone.js';
export { updateZoneContent } from './domains/update-zone.js';
export { checkZoneAttributes, DNSSEC_ATTRIBUTE } from './domains/zone-attributes.js';
export { changedZoneContent, newZoneContent } from './domains/zone-content.js';
export { ZoneNames } from './domains/zone-names.js';
export { ZoneReader } from './domains/zone-reader.js';
export { creation } from './write/changes/record-change.js';
export type { Violation } from './write/checks/violation.js';
export { applyOptimistic, type ChangeOfMany, type OutcomeOfMany } from './write/apply-together.js';
export { changeAlone } from './write/change-alone.js';
export type { PlanState, ZoneChange } from './write/zone-change.js';
export { changeOfUpdate, type Update } from './dynamic-update/take-update.js';
export { findZoneAround, findZoneNamed, listZonesNamed } from './rows/zone-store.js';
export { ChangeFeed } from './events/change-feed.js';
export { type EventPosition, isEventPosition, isVisibleAt } from './events/feed-position.js';
export { type FeedPart, readChangesetFeed, type ZoneChangeset } from './events/step-feed-store.js';
export { countUnreachedPositions } from './write/commit/restamp-store.js';
export { increaseAheadSerials } from './feed/increase-ahead-serials.js';
export { resetFeed } from './feed/restamp.js';
export { type RestoreRequest, restoreZone } from './history/restore-zone.js';
export { revertChangeset } from './history/revert-step.js';
export type { Undoing } from './history/write-past.js';
export { undeleteZone } from './history/undelete-zone.js';
export { findStoredResponse, storeResponse } from './idempotency/idempotency-store.js';
export {
  findChangeSerial,
  findHistoryStart,
  type HistoryStart,
  type JournalChange,
  listChanges,
} from './journal/history-store.js';
export { type HistoryPeriod, listHistoryPeriods } from './journal/history-periods.js';
export type { ChangeFilter } from './journal/change-filter.js';
export { type ZoneChanges, listChangesets } from './journal/step-store.js';
export {
  countDeletedZones,
  countZonesOf,
  type DeletedZone,
  getUse,
  type LastChange,
  listDeletedZones,
  listLastChanges,
} from './listing/zone-details-store.js';
export { findSearchPosition, searchRecords, searchZones } from './listing/search-store.js';
export type { ListedZone } from './listing/listed-zone.js';
export {
  countListedZones,
  findListedZone,
  findZoneOwner,
  listZonePage,
  type ZoneFilter,
  type ZoneSortKey,
} from './listing/zone-page-store.js';
export { acceptDatabase, listIdentityMismatches } from './nameservers/doubt-store.js';
export {
  findNameserverDomain,
  type NameserverDomain,
} from './nameservers/nameserver-domain-store.js';
export { getNameserverDomain, setNameserverDomain } from './nameservers/nameserver-domain.js';
export {
  listIgnoredSettings,
  listNameserverStates,
  listRecentZones,
  type NameserverState,
} from './nameservers/nameserver-state-store.js';
export { listNameservers, listServers, type Nameserver } from './nameservers/nameserver-store.js';
export {
  addNameserver,
  changeNameserver,
  type NameserverInput,
  removeNameserver,
} from './nameservers/nameservers.js';
export { requireMatch } from './request/precondition.js';
export { findAwaitedChange, findPastAwaitedChange } from './publication/awaited-change-store.js';
export { readRecordsetStatuses } from './publication/recordset-status.js';
export { getPublication, type Publication } from './publication/get-publication.js';
export {
  type AwaitedChange,
  countServers,
  isApplied,
  isLive,
  type NameserverStatus,
  type PublicationCount,
  type StatusReport,
} from './publication/nameserver-status.js';
export { type ObservedNameserver, observeNameservers } from './publication/observe-nameservers.js';
export { type ObjectStatus, statusOfChange } from './publication/object-status.js';
export { PublicationWatch } from './publication/publication-watch.js';
export { StatusReader } from './publication/status-reader.js';
export { insertQuotas, listQuotas, type Quota } from './quotas/quota-store.js';
export { changeQuota, clearQuota, getLimits, getQuota } from './quotas/quotas.js';
export type { ViewedZone } from './records/get-record.js';
export { planRecordDelete, planRecordUpdate, type RecordTarget } from './records/change-records.js';
export {
  findRecordsetKey,
  locateRecordset,
  getRecordset,
  recordsetNotFound,
} from './recordsets/get-recordset.js';
export {
  deleteRecordset,
  planRecordset,
  type RecordsetUpdate,
  updateRecordset,
} from './recordsets/change-recordsets.js';
export { listAllRecordsets } from './recordsets/list-all-recordsets.js';
export { listRecordsets, type RecordsetSortKey } from './recordsets/list-recordsets.js';
export { isManaged, type Recordset } from './recordsets/recordset.js';
export { RecordsetCounts } from './recordsets/recordset-counts.js';
export type { RecordInput, RecordsetInput } from './recordsets/recordset-draft.js';
export { isNarrow, type RecordsetFilter } from './recordsets/recordset-filter.js';
export type { RecordsetKey } from './recordsets/recordset-id.js';
export { addEffectiveTtls } from './records/effective-ttls.js';
export { getRecord } from './records/get-record.js';
export { lockZoneForRecords } from './write/read/lock-zone.js';
export { FLAG_MEMBERS, isRecordFlags } from './records/read-flags.js';
export { flagMembers } from './rows/record-flags.js';
export { expireRecords, listZonesToExpire, type ZoneToExpire } from './expiry/expire-records.js';
export { findHostingZones, type HostingZone } from './write/read/mail-hosts.js';
export { changedRecordContent, newRecordContent } from './records/record-content.js';
export {
  countRecords,
  findPageEnd,
  listRecords,
  type RecordFilter,
} from './records/record-list-store.js';
export { retentionRules } from './retention/retention-rules.js';
export { findRecord, listRecordsNamed } from './rows/record-store.js';
export {
  type RecordContent,
  recordEtag,
  type RecordFields,
  type ZoneRecord,
} from './rows/record.js';
export {
  areSomeOfOthers,
  findTombstone,
  findZone,
  listZones,
  probeZones,
} from './rows/zone-store.js';
export { type Zone, type ZoneAttributes, type ZoneContent, zoneEtag } from './rows/zone.js';
export { MX_TARGET_CHECKS, type MxTargetCheck } from './request/rules.js';
export type { Chunk } from './sql/chunk.js';
export { readTextFilter, type TextFilter } from './sql/text-filter.js';
export { inTransaction } from './transactions/in-transaction.js';
export { Undo } from './transactions/undo.js';
export type { UnitOfWork } from './transactions/unit-of-work.js';
export { compareDomains } from './transfer/compare-domains.js';
export type { DomainPart } from './transfer/domain-part.js';
export { listDomainParts, listRecordParts } from './transfer/export-store.js';
export { importDomain } from './transfer/import-domain.js';
export { type MovedDomain, readDomain } from './transfer/read-domain.js';
export { exportZone } from './zonefile/export-zone.js';
export { importNewZone } from './zonefile/import-new-zone.js';
export type { ImportMode, ImportRequest } from './zonefile/import-request.js';
export { importIntoZone, type ImportResult } from './zonefile/import-zone.js';
export type { SkippedLineText } from './zonefile/line-not-taken.js';
export { readForNewZone, readForZone } from './zonefile/read-for-zone.js';
export {
  getNameRule,
  changeNameRule,
  createNameRule,
  removeNameRule,
} from './name-rules/name-rules.js';
export { listNameRules, type NameRuleSortKey } from './name-rules/name-rule-store.js';
export type { NameRule, NameRuleKind } from './name-rules/name-rule.js';
export { asOwner } from './shares/as-owner.js';
export { listSharedZoneIds, listZoneShares, type ZoneShareSortKey } from './rows/share-store.js';
export type { ZoneShare } from './rows/zone-share.js';
export { getZoneShare, shareZone, unshareZone } from './shares/zone-shares.js';
export type { ListedPage, ListOrder } from './sql/listing.js';
export type { SortOrder } from './sql/sort-order.js';
export { listZoneTasks, type ZoneTaskSortKey } from './tasks/task-store.js';
export type { ZoneTask, ZoneTaskKind } from './tasks/zone-task.js';
export {
  addExport,
  addFailedImport,
  addImport,
  getZoneTask,
  isFaultOfFile,
  removeZoneTask,
} from './tasks/zone-tasks.js';
export { type AcceptSortKey, listAccepts } from './transfers/accept-store.js';
export { acceptZone, getAccept } from './transfers/accept-zone.js';
export {
  updateTransferRequest,
  getTransfer,
  requestTransfer,
  revealTransferKey,
  deleteTransferRequest,
} from './transfers/offer-zone.js';
export { listTransfers, type TransferSortKey } from './rows/transfer-store.js';
export type { TransferAccept, ZoneTransfer } from './rows/zone-transfer.js';
export { catalogName, type Peer, type PeerState } from './peers/peer.js';
export {
  findLaggingPeers,
  findRefusedPeers,
  listPeerProgress,
  renotifyPeer,
  listPeers,
  listPeerStates,
  listZonesOfPeer,
  type PeerProgress,
  type PeerZone,
} from './peers/peer-store.js';
export { changePeer, createPeer, getPeer, removePeer } from './peers/peers.js';
export { listTsigKeys, type TsigKeySortKey } from './tsig-keys/tsig-key-store.js';
export { TSIG_ALGORITHMS, type TsigKey } from './tsig-keys/tsig-key.js';
export { changeTsigKey, createTsigKey, getTsigKey, removeTsigKey } from './tsig-keys/tsig-keys.js';
export { maintainZone, type MaintenanceContext } from './signing-jobs/maintain-zone.js';
export {
  deleteOldSignedChanges,
  type DsRecord,
  listDueZones,
  listZonesToCheckParents,
  readClockDifference,
  writeParentDs,
} from './signing/dnssec-store.js';
export { AUDIT_BEGIN, auditNames, type AuditPosition } from './signing-jobs/audit-names.js';
export { findBrokenZones, findZoneToAudit, writeAudit } from './signing/audit-store.js';
export { findSigningTrouble, type SigningTrouble } from './signing/signing-trouble.js';
export {
  insertZoneKey,
  listKeyTags,
  findZoneWithSecrets,
  type SecretZoneKey,
} from './signing/zone-key-store.js';
export type { RrsetToSign, SignedZone, ZoneSigner } from './transactions/zone-signer.js';
export { keyVersion } from './rows/signing-state.js';
export { type ExternalKey, listZoneKeys } from './signing/signing-store.js';
export { readExternalKeys } from './signing/foreign-keys.js';
export { externalKeys, isAnnouncedExternal, type ZoneKey } from './rows/signing-state.js';
export { disableDnssec, type DnssecWork, enableDnssec, rollOver } from './dnssec/change-dnssec.js';
export { listSignings, type ListedSigning } from './dnssec/signing-list-store.js';
export { asksParent, getZoneDnssec, isSameDs, type ZoneDnssec } from './dnssec/zone-dnssec.js';
export { isSpecialAddress } from './peers/special-address.js';
export {
  createSecondaryZone,
  getSecondary,
  moveToPrimaries,
  refreshSecondary,
  removePrimaries,
  setPrimaries,
} from './secondaries/secondaries.js';
export type { Primary, Secondary, SoaNumbers } from './secondaries/secondary.js';
export {
  type DueSecondary,
  findFailingSecondaries,
  findNotifiable,
  keyOfNotify,
  findSecondary,
  hastenSecondary,
  isStillClaimed,
  listSecondaries,
  noteFailure,
  type Notifiable,
  type SecondaryProgress,
  claimDue,
} from './secondaries/secondary-store.js';
export {
  applyTransfer,
  type Transfer,
  type TransferredDifference,
  withholdZone,
} from './secondaries/take-transfer.js';
export { TransferFault } from './secondaries/transfer-fault.js';
