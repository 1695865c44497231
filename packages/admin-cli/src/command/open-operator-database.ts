import { type Database, openDatabase } from '@zonewright/database';
import type { AdminSettings } from '../settings/settings.js';

/** A command runs few statements, one after the other; a transaction within one needs no second connection. */
const MAX_CONNECTIONS = 2;
/** A person waits rather than starts again: a busy server is no failure, as it is for a service with replicas. */
const CONNECT_TIMEOUT_MS = 10_000;

/** The database of the command line, which whoever opens it destroys. */
export function openOperatorDatabase(
  { databaseUrl }: AdminSettings,
  options: { readonly statementTimeoutMs?: number } = {},
): Database {
  return openDatabase({
    ...options,
    url: databaseUrl,
    applicationName: 'zonewright-admin',
    maxConnections: MAX_CONNECTIONS,
    connectTimeoutMs: CONNECT_TIMEOUT_MS,
    acquireTimeoutMs: CONNECT_TIMEOUT_MS,
  });
}
