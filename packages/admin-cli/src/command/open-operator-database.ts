import { type Database, openDatabase } from '@zonewright/database';
import type { AdminSettings } from '../settings/settings.js';

/** A command runs few statements, one after the other; a transaction within one needs no second connection. */
const MAX_CONNECTIONS = 2;
/** Connect timeout, longer than that of a service with replicas: a person prefers to wait for a busy server. */
const CONNECT_TIMEOUT_MS = 10_000;

/** The database of the command line, which whoever opens it destroys. */
export function openOperatorDatabase(
  { databaseUrl }: AdminSettings,
  options: { readonly statementTimeoutMs?: number; readonly requiresSchema?: boolean } = {},
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
