import {
  type Database,
  KEY_SETTINGS,
  type Keyring,
  type NamedKeyring,
  openDatabase,
} from '@zonewright/database';
import { readSettings, SettingsError } from '@zonewright/service-kit';
import { Output } from '@zonewright/terminal';
import { Command } from 'commander';
import { ADMIN_SETTINGS, type AdminSettings, namedKeyrings } from '../settings/settings.js';
import type { Host } from './host.js';

/** Context of a running command. */
export interface Session {
  readonly host: Host;
  readonly settings: AdminSettings;
  readonly db: Database;
  readonly output: Output;
  /** @throws SettingsError if ENCRYPTION_KEYS is not set */
  readonly keyring: () => Keyring;
  /**
   * Returns the configured keyrings.
   * @throws SettingsError if there are none
   */
  readonly keyrings: () => readonly NamedKeyring[];
}

/**
 * Creates the action of a command. The settings are read when the command runs, so that help needs none. The action
 * opens the database and closes it again. `work` gets the arguments and options that commander has parsed.
 */
export function withSession<A extends unknown[]>(
  host: Host,
  work: (session: Session, ...args: A) => Promise<void>,
): (...args: A) => Promise<void> {
  return async (...args) => {
    const settings = readSettings(ADMIN_SETTINGS, host.env);
    const db = openOperatorDatabase(settings, { requiresSchema: true });
    const output = new Output(host, wantsJson(args) ? 'json' : 'table', {
      onItem: (row) => host.audit?.noteResult(row),
    });
    try {
      const keyring = () => keyringOf(settings);
      const keyrings = () => keyringsOf(settings);
      await work({ host, settings, db, output, keyring, keyrings }, ...args);
    } finally {
      await db.destroy();
    }
  };
}

function keyringOf(settings: AdminSettings): Keyring {
  if (settings.encryptionKeys !== undefined) return settings.encryptionKeys;
  throw new SettingsError([
    'ENCRYPTION_KEYS is not set, but this command must encrypt a secret; set it to the value of identity-service',
  ]);
}

function keyringsOf(settings: AdminSettings): readonly NamedKeyring[] {
  const given = namedKeyrings(settings);
  if (given.length > 0) return given;
  throw new SettingsError([
    `None of ${KEY_SETTINGS.join(', ')} is set, but this command must decrypt secrets; set them to the values of ` +
      'identity-service, dns-api and signer',
  ]);
}

/** Reads the option `--json` from commander's last argument, which is the command itself. */
function wantsJson(args: readonly unknown[]): boolean {
  const command = args.at(-1);
  return command instanceof Command && command.opts<{ json?: boolean }>().json === true;
}

/**
 * The maximum number of connections. A command runs its statements one after the other, and a transaction needs no
 * second connection.
 */
const MAX_CONNECTIONS = 2;
/** The connect timeout is longer than in a service, because a person prefers to wait for a busy server. */
const CONNECT_TIMEOUT_MS = 10_000;
/** Timeout of the schema check of the first connection. */
const SCHEMA_TIMEOUT_MS = 5_000;

/** Opens the database. The caller closes it. */
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
    acquireTimeoutMs: CONNECT_TIMEOUT_MS + SCHEMA_TIMEOUT_MS,
  });
}
