export { AHEAD_PAYLOAD_END, CHANNELS } from './connection/listen.js';
export {
  countConnections,
  countMostConnections,
  listRefusals,
} from './connection/connection-counts.js';
export {
  type Database,
  DATABASE_ROLES,
  type DatabaseRole,
  openDatabase,
  withRole,
} from './connection/connection.js';
export { orConflict } from './connection/errors.js';
export {
  errorCode,
  isDatabaseUnavailable,
  isSchemaMissing,
  SchemaBehindError,
  SQLSTATE,
  violatedConstraint,
} from './connection/errors.js';
export { announceZoneChange } from './connection/listen.js';
export type { FeedDatabase } from './feed/position.js';
export type { FeedHead, FeedServers } from './feed/read-head.js';
export type { FeedLineage } from './feed/position.js';
export {
  type FeedHorizon,
  type Horizon,
  horizonAt,
  isWithin,
  parseHorizon,
} from './feed/position.js';
export { FEED_START, type FeedPosition, isAtOrBefore } from './feed/position.js';
export {
  APEX,
  type FeedApex,
  type FeedChange,
  type FeedReading,
  type FeedRecordChanges,
  type FeedZone,
  type NameForms,
  readFeed,
  type RecordBatches,
} from './feed/read-feed.js';
export {
  type FeedPeer,
  mayPeerTransfer,
  type PeerReport,
  readCatalog,
  readPeers,
  readPeersOfZones,
  readPeersVersion,
  readZonesBehind,
  savePeerReports,
} from './feed/read-peers.js';
export {
  type ReaderPosition,
  type CachedZone,
  NotInChangesError,
  readFeedChanges,
} from './feed/read-news.js';
export { APEX_OF_SECONDARY, type SecondaryState, secondaryState } from './feed/position.js';
export { type FeedRecord } from './feed/read-records.js';
export {
  type FeedSignedName,
  readSignedNames,
  type SignedNameBatches,
} from './feed/read-signed-names.js';
export { readRows } from './feed/read-rows.js';
export type { JournalEntry, RecordImage, ZoneImage } from './journal/journal-entry.js';
export { readChangedNames } from './journal/read-changed-names.js';
export { type Migration, MIGRATIONS } from './migrations/index.js';
export { NotificationListener } from './connection/listen.js';
export { lockName } from './connection/name-locks.js';
export { leadsToPooler } from './connection/listen.js';
export { findWrongRights, type WrongRight } from './schema/find-wrong-rights.js';
export {
  countPendingMigrations,
  limitRoleConnections,
  migrate,
  type MigrationState,
  readMigrationState,
  setRolePassword,
} from './schema/migrate.js';
export {
  ACCESS_KEY_ALGORITHMS,
  ACCESS_KEY_LENGTH,
  DEFAULT_ACCESS_KEY_ALGORITHM,
  generateAccessKeyId,
  generateSecretKey,
  isAccessKeyLength,
} from './secrets/access-key-material.js';
export {
  generateKeyringText,
  type Keyring,
  parseKeyring,
  type SealedSecret,
} from '@zonewright/service-kit';
export { connect, type PreparedStatement, runPrepared } from './connection/query.js';
export { queryReturning, queryRow, queryRows } from './connection/query.js';
export { Retention } from './retention/retention.js';
export {
  BATCH_ROWS,
  byAge,
  type RemovedBatch,
  type RetentionRule,
} from './retention/retention-rule.js';
export { listTableSizes, type TableSize } from './retention/retention.js';
export { hashPassword, verifyPassword } from './secrets/passwords.js';
export { secretIdentity } from './secrets/access-key-material.js';
export { type ResealResult, resealSecrets } from './sealed-secrets/reseal.js';
export { KEY_SETTINGS, type KeySetting } from './sealed-secrets/sealed-secret-store.js';
export {
  countSealed,
  countSecrets,
  type EncryptionKeyUse,
  type NamedKeyring,
  type SecretSurvey,
  surveySecrets,
} from './sealed-secrets/survey.js';
export {
  findServiceSettings,
  SERVICE_SETTINGS,
  type ServiceSettings,
  type SoaTimes,
  updateServiceSettings,
} from './service-settings/service-settings.js';
export { MIGRATE_SETTINGS } from './settings.js';
export {
  createTemplateDatabase,
  createTestDatabase,
  databaseUrl,
  dropTemplateDatabase,
  type TestDatabase,
} from './testing/template-database.js';
