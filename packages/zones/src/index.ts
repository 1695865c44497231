export { hasRules, isOperator, mayFind, mayTransferZone, mayUseZone } from './rows/key-rules.js';
export type { RestrictedKey } from './request/caller.js';
export { readApexProgress } from './rows/apex-store.js';
export { getZoneApex } from './rows/nameserver-store.js';
export { rolloutApex } from './write/raise-zones.js';
export type { Batch, BatchItem } from './records/batch.js';
export { type BatchResult, itemPath, planBatch } from './records/batch.js';
export type { AnyViewer, Caller, Viewer } from './request/caller.js';
export { CHANGE_SOURCES, type ChangeSource } from './request/caller.js';
export { creation, type RecordChange, type Violation } from './checks/record-change.js';
export {
  listDelegations,
  listMixedTtls,
  listRecentChanges,
  listRecordsToAdvise,
  listReferences,
  listTypesAt,
  MAX_TARGETS,
  type Reference,
} from './domains/check-store.js';
export { createZone } from './domains/zones.js';
export { deleteZone } from './domains/zones.js';
export { getZone, zoneNotFound } from './rows/get-zone.js';
export { updateZoneContent } from './domains/zones.js';
export { checkZoneAttributes, DNSSEC_ATTRIBUTE } from './domains/zones.js';
export { changedZoneContent, newZoneContent } from './domains/zone-content.js';
export { ZoneNames, ZoneReader } from './domains/zone-reader.js';
export { applyOptimistic, type ChangeOfMany, type OutcomeOfMany } from './write/apply-together.js';
export { ZoneGroups } from './write/zone-groups.js';
export { changeAlone, type Plan, type PlanState, type ZoneChange } from './write/change-alone.js';
export { changeOfUpdate, type Update } from './records/take-update.js';
export { findZoneAround, findZoneNamed, listZonesNamed } from './rows/zone-store.js';
export { ChangeFeed } from './history/change-feed.js';
export { type EventPosition, isEventPosition, isVisibleAt } from './history/step-feed-store.js';
export { type FeedPart, readChangesetFeed, type ZoneChangeset } from './history/step-feed-store.js';
export { countUnreachedPositions } from './write/commit/reset-store.js';
export { increaseAheadSerials } from './publication/increase-ahead-serials.js';
export { resetFeed } from './publication/reset-feed.js';
export { type RestoreRequest, restoreZone } from './history/restore-zone.js';
export { revertChangeset } from './history/revert-step.js';
export type { Undoing } from './history/write-past.js';
export { undeleteZone } from './history/undelete-zone.js';
export {
  type AnsweredUpdate,
  answerOctets,
  findStoredResponse,
  storeResponses,
} from './write/commit/commit-store.js';
export {
  findChangeSerial,
  findHistoryStart,
  type HistoryStart,
  type JournalChange,
  listChanges,
} from './history/history-store.js';
export { type HistoryPeriod, listHistoryPeriods } from './rows/history-periods.js';
export type { ChangeFilter } from './history/change-filter.js';
export { type ZoneChanges, listChangesets } from './history/step-store.js';
export {
  countDeletedZones,
  countZonesOf,
  type DeletedZone,
  getUse,
  type LastChange,
  listDeletedZones,
  listLastChanges,
} from './domains/zone-details-store.js';
export { findSearchPosition, searchRecords, searchZones } from './records/search-store.js';
export type { ListedZone } from './domains/zone-page-store.js';
export {
  countListedZones,
  findListedZone,
  isZoneMarker,
  listZonePage,
  type ZoneFilter,
  type ZoneSortKey,
} from './domains/zone-page-store.js';
export { acceptDatabase, listIdentityMismatches } from './rows/nameserver-state-store.js';
export { findNameserverDomain, type NameserverDomain } from './rows/nameserver-domain.js';
export { getNameserverDomain, setNameserverDomain } from './rows/nameserver-domain.js';
export {
  listIgnoredSettings,
  listNameserverStates,
  listRecentZones,
  type NameserverState,
} from './rows/nameserver-state-store.js';
export { listNameservers, listServers, type Nameserver } from './rows/nameserver-store.js';
export {
  addNameserver,
  changeNameserver,
  type NameserverInput,
  removeNameserver,
} from './rows/nameservers.js';
export { MX_TARGET_CHECKS, type MxTargetCheck, requireMatch } from './request/rules.js';
export { findAwaitedChange, findPastAwaitedChange } from './publication/awaited-change-store.js';
export { readRecordsetStatuses } from './publication/recordset-status.js';
export { getPublication, type Publication } from './publication/get-publication.js';
export {
  countServers,
  isApplied,
  isLive,
  type NameserverStatus,
  type PublicationCount,
  type StatusReport,
} from './publication/nameserver-status.js';
export { type ObservedNameserver, observeNameservers } from './publication/observe-nameservers.js';
export { type ObjectStatus, statusOfChange } from './publication/nameserver-status.js';
export { PublicationWatch } from './publication/publication-watch.js';
export { StatusReader } from './publication/status-store.js';
export { insertQuotas, listQuotas, type Quota } from './domains/quotas.js';
export { changeQuota, clearQuota, getLimits, getQuota } from './domains/quotas.js';
export { addEffectiveTtls, getRecord, type ViewedZone } from './records/get-record.js';
export { planRecordDelete, planRecordUpdate, type RecordTarget } from './records/change-records.js';
export {
  findRecordsetMarker,
  locateRecordset,
  getRecordset,
  recordsetNotFound,
} from './records/get-recordset.js';
export {
  planNewRecordset,
  planRecordsetDelete,
  planRecordsetUpdate,
  type RecordsetUpdate,
} from './records/change-recordsets.js';
export { listAllRecordsets } from './records/list-recordsets.js';
export { listRecordsets, type RecordsetSortKey } from './records/list-recordsets.js';
export { isManaged, type Recordset, recordsetId, type RecordsetKey } from './rows/recordset.js';
export { RecordsetCounts } from './records/recordset-counts.js';
export type { RecordInput, RecordsetInput } from './records/recordset-draft.js';
export { isNarrow, type RecordsetFilter } from './records/recordset-filter.js';
export { RECORD_FLAGS } from './rows/record-flags.js';
export { expireRecords, listZonesToExpire, type ZoneToExpire } from './records/expire-records.js';
export { findHostingZones, type HostingZone } from './write/mail-hosts.js';
export { changedRecordContent, newRecordContent } from './records/record-content.js';
export {
  countRecords,
  findPageEnd,
  findPastRecord,
  listRecords,
  type RecordFilter,
} from './records/record-list-store.js';
export { retentionRules } from './history/retention-rules.js';
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
export {
  type AwaitedChange,
  type Zone,
  type ZoneAttributes,
  type ZoneContent,
  zoneEtag,
} from './rows/zone.js';
export type { Chunk } from './rows/statements.js';
export { readTextFilter, type TextFilter } from './rows/listing.js';
export { LocksOutdated, inTransaction } from './request/unit-of-work.js';
export { Undo } from './request/unit-of-work.js';
export type { UnitOfWork } from './request/unit-of-work.js';
export { compareDomains } from './import-export/compare-domains.js';
export type { DomainPart } from './import-export/export-store.js';
export {
  countSignedDomains,
  listDomainParts,
  listRecordParts,
} from './import-export/export-store.js';
export { importDomain } from './import-export/import-domain.js';
export { type MovedDomain, readDomain } from './import-export/read-domain.js';
export { exportZone } from './import-export/export-zone.js';
export {
  describeFile,
  type FileDescription,
  importNewZone,
  readForNewZone,
  readForZone,
} from './import-export/import-new-zone.js';
export {
  COLUMNS,
  type ImportMode,
  type ImportRequest,
  REQUIRED_COLUMNS,
  type SkippedLineText,
} from './import-export/import-request.js';
export { importIntoZone, type ImportResult } from './import-export/import-zone.js';
export {
  getNameRule,
  changeNameRule,
  createNameRule,
  removeNameRule,
} from './domains/name-rules.js';
export { listNameRules, type NameRuleSortKey } from './domains/name-rule-store.js';
export type { NameRule, NameRuleKind } from './domains/name-rule-store.js';
export {
  asOwner,
  findOwner,
  getZoneShare,
  type OwnedKind,
  shareZone,
  unshareZone,
} from './domains/zone-shares.js';
export { listSharedZoneIds, listZoneShares, type ZoneShareSortKey } from './rows/share-store.js';
export type { ZoneShare } from './rows/share-store.js';
export type { ListedPage, ListOrder } from './rows/listing.js';
export type { SortOrder } from './rows/listing.js';
export { listZoneTasks, type ZoneTaskSortKey } from './import-export/zone-tasks.js';
export type { ZoneTask, ZoneTaskKind } from './import-export/zone-tasks.js';
export {
  addExport,
  addFailedImport,
  addImport,
  getZoneTask,
  isFaultOfFile,
  removeZoneTask,
} from './import-export/zone-tasks.js';
export { type AcceptSortKey, acceptZone, getAccept, listAccepts } from './domains/accept-zone.js';
export {
  updateTransferRequest,
  getTransfer,
  requestTransfer,
  revealTransferKey,
  deleteTransferRequest,
} from './domains/offer-zone.js';
export { listTransfers, type TransferSortKey } from './rows/transfer-store.js';
export type { TransferAccept, ZoneTransfer } from './rows/transfer-store.js';
export { catalogName, type Peer, type PeerState } from './secondaries/peer.js';
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
} from './secondaries/peer-store.js';
export { changePeer, createPeer, getPeer, removePeer } from './secondaries/peers.js';
export { listTsigKeys, type TsigKeySortKey } from './secondaries/tsig-key-store.js';
export { TSIG_ALGORITHMS, type TsigKey } from './secondaries/tsig-key.js';
export {
  changeTsigKey,
  createTsigKey,
  getTsigKey,
  removeTsigKey,
} from './secondaries/tsig-keys.js';
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
export { findBrokenZones, findZoneToAudit, writeAudit } from './signing-jobs/audit-names.js';
export { findSigningTrouble, type SigningTrouble } from './signing/zone-dnssec.js';
export {
  insertZoneKey,
  listKeyTags,
  findZoneWithSecrets,
  type SecretZoneKey,
} from './signing/zone-key-store.js';
export {
  octetsToSign,
  type RrsetToSign,
  type SignedZone,
  type ZoneSigner,
} from './request/unit-of-work.js';
export { keyVersion } from './rows/signing-state.js';
export { type ExternalKey, listZoneKeys } from './signing/signing-store.js';
export { readExternalKeys } from './signing/foreign-keys.js';
export { externalKeys, isAnnouncedExternal, type ZoneKey } from './rows/signing-state.js';
export { disableDnssec, type DnssecWork, enableDnssec, rollOver } from './signing/change-dnssec.js';
export { listSignings, type ListedSigning } from './signing/zone-dnssec.js';
export { asksParent, getZoneDnssec, isSameDs, type ZoneDnssec } from './signing/zone-dnssec.js';
export { isSpecialAddress } from './secondaries/special-address.js';
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
export {
  FAULT_REASONS,
  isRefusal,
  joinFaults,
  SERVED_CONTENTS,
  TransferFault,
  type TransferState,
  transferStateOf,
} from './secondaries/transfer-fault.js';
