export { type CertificateFiles, writeCertificate } from './redis-cluster.js';
export {
  sendQuery,
  type DnsResponse,
  exchangeAllTcp,
  exchangeTcp,
  exchangeUdp,
  type NameserverAddress,
  readExtendedError,
} from './dns-client.js';
export {
  addNameservers,
  addRecord,
  addZone,
  deleteRecords,
  deleteZone,
  increaseSerial,
  type RecordToAdd,
} from './dns-rows.js';
export { endWithThisProcess } from './end-with-this-process.js';
export { readTestEnvironment, TEST_VARIABLES, type TestEnvironment } from './environment.js';
export { FAULT_ROUNDS, faultSeed, REDIS_FAILOVERS, seededRandom } from './environment.js';
export { FakeClock } from './wait-for.js';
export { freePort } from '@zonewright/service-kit';
export {
  readCodeBlocks,
  readItems,
  readOperations,
  readSection,
  withoutNames,
} from './markdown.js';
export {
  describeWithPrivatePostgres,
  type Disk,
  giveToServer,
  PrivatePostgres,
  programsFolder,
  serverUser,
} from './private-postgres.js';
export { type PrivateHost, PrivateNetwork } from './private-network.js';
export { describeWithPgbouncer, PrivatePgbouncer } from './private-pgbouncer.js';
export { PrivateRedisCluster } from './redis-cluster.js';
export { PrivateRedis } from './redis-server.js';
export { recordAnswers } from './record-answers.js';
export { startProxy, TcpProxy } from './tcp-proxy.js';
export { type TestDatabaseHandle, useTestDatabase } from './test-database.js';
export { createRedisNamespace, describeWithRedis, type RedisNamespace } from './redis-server.js';
export { inTime, PATIENCE } from './wait-for.js';
export { QueryLoad, type QueryLoadResult } from './query-load.js';
export { hasDelv, SECURE, SECURELY_MISSING, validateAnswer } from './validating-resolver.js';
export { hasUnbound, ValidatingResolver } from './validating-resolver.js';
export { waitFor } from './wait-for.js';
export {
  activateService,
  assignRole,
  insertAccessKey,
  insertAccountDomain,
  insertRole,
  insertService,
  insertSigningKey,
  insertTenant,
  insertUser,
  newId,
  type TestAccessKey,
  type TestTenant,
  type TestUser,
} from './identity-fixtures.js';
export { type IdentityWorld, seedIdentity } from './identity-world.js';
export { runRetention } from './test-database.js';
