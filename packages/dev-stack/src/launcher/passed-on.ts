import { ADMIN_SETTINGS } from '@zonewright/admin-cli';
import { CONSOLE_SETTINGS } from '@zonewright/console-service/settings';
import { MIGRATE_SETTINGS } from '@zonewright/database';
import { DNS_API_SETTINGS } from '@zonewright/dns-api/settings';
import { IDENTITY_SERVICE_SETTINGS } from '@zonewright/identity-service/settings';
import { NAMESERVER_SETTINGS } from '@zonewright/nameserver/settings';
import { findMisspelled, listSettings, type SettingsTree } from '@zonewright/service-kit';
import { SIGNER_SETTINGS } from '@zonewright/signer/settings';
import { START_SETTINGS } from '../settings/settings.js';

export type Environment = Readonly<Record<string, string | undefined>>;
export type ServiceName =
  | 'identity-service'
  | 'dns-api'
  | 'signer'
  | 'nameserver'
  | 'console-service';

const SERVICES: Readonly<Record<ServiceName, SettingsTree>> = {
  'identity-service': IDENTITY_SERVICE_SETTINGS,
  'dns-api': DNS_API_SETTINGS,
  signer: SIGNER_SETTINGS,
  nameserver: NAMESERVER_SETTINGS,
  'console-service': CONSOLE_SETTINGS,
};

/**
 * Variables that the launcher sets itself, so that the parts find each other. Each value gives the reason, or names the
 * setting to change instead.
 */
const FIXED: Readonly<Record<string, string>> = {
  ENCRYPTION_KEYS: 'secrets.json in the data folder has the keys',
  TRANSFER_ENCRYPTION_KEYS: 'secrets.json in the data folder has the keys',
  SIGNER_ENCRYPTION_KEYS: 'secrets.json in the data folder has the keys',
  SIGNER_SECRET: 'secrets.json in the data folder has the secret',
  SIGNER_URL: 'the signer listens on a free port',
  SIGNER_HOST: 'the services listen on 127.0.0.1',
  SIGNER_PORT: 'the signer listens on a free port',
  IDENTITY_HOST: 'the services listen on 127.0.0.1',
  DNS_API_HOST: 'the services listen on 127.0.0.1',
  NAMESERVER_HOST: 'the services listen on 127.0.0.1',
  IDENTITY_PORT: 'ZONEWRIGHT_IDENTITY_PORT sets the port of the service',
  DNS_API_PORT: 'ZONEWRIGHT_DNS_PORT sets the port of the service',
  NAMESERVER_PORT: 'ZONEWRIGHT_NAMESERVER_PORT sets the port of the service',
  NAMESERVER_NAME: 'the nameservers have the names ns1-1 to ns1-6',
  NAMESERVER_SNAPSHOT_DIR: 'each nameserver has a folder below snapshots in the data folder',
  NAMESERVER_STATUS_DATABASE_URL: 'DATABASE_URL sets the only database',
  DATABASE_SESSION_URL: 'there is no connection pooler',
  CONSOLE_SESSION_KEYS: 'secrets.json in the data folder has the keys',
  CONSOLE_HOST: 'the services listen on 127.0.0.1',
  CONSOLE_PORT: 'ZONEWRIGHT_CONSOLE_PORT sets the port of the service',
  CONSOLE_TLS_CERTIFICATE_FILE: 'its URL is printed with http',
  CONSOLE_TLS_KEY_FILE: 'its URL is printed with http',
  CONSOLE_DNS_API_URL: 'ZONEWRIGHT_DNS_PORT sets the port of the service',
  IDENTITY_URL: 'ZONEWRIGHT_IDENTITY_PORT sets the port of the service',
  DNS_API_SERVICE_ACCESS_KEY: 'secrets.json in the data folder has the key',
  DNS_API_SERVICE_SECRET_KEY: 'secrets.json in the data folder has the key',
  NAMESERVER_UPDATE_URL: 'ZONEWRIGHT_DNS_PORT sets the port of the service',
  NAMESERVER_SERVICE_ACCESS_KEY: 'secrets.json in the data folder has the key',
  NAMESERVER_SERVICE_SECRET_KEY: 'secrets.json in the data folder has the key',
  DNS_API_CHECK_NAMESERVERS: 'ZONEWRIGHT_NAMESERVER_PORT sets the port of the nameserver',
  IDENTITY_TLS_CERTIFICATE_FILE: 'the catalog has http URLs',
  IDENTITY_TLS_KEY_FILE: 'the catalog has http URLs',
  DNS_API_TLS_CERTIFICATE_FILE: 'the catalog has http URLs',
  DNS_API_TLS_KEY_FILE: 'the catalog has http URLs',
};

/** Returns the variables of a settings tree, including those with the name of a file. */
const variablesOf = (tree: SettingsTree) =>
  listSettings(tree).flatMap(({ variable }) => [variable, `${variable}_FILE`]);
/** Returns why the launcher sets a variable itself. Undefined if it does not. */
const whyFixed = (name: string) => FIXED[name] ?? FIXED[name.replace(/_FILE$/, '')];
/** Variables of the first start. The nameserver also gets them, and reports if the database now has other values. */
const FIRST = new Set(variablesOf(START_SETTINGS.first));
const OWN = new Set(variablesOf(START_SETTINGS).filter((name) => !FIRST.has(name)));
const OF_SERVICES = new Set(Object.values(SERVICES).flatMap(variablesOf));
const KNOWN = new Set([
  ...OWN,
  ...OF_SERVICES,
  ...[MIGRATE_SETTINGS, ADMIN_SETTINGS].flatMap(variablesOf),
]);

/** Prefixes of Zonewright's variables, which hardly any other program uses. */
const OUR_PREFIX = /^(?:ZONEWRIGHT|IDENTITY|DNS_API|SIGNER|NAMESERVER|CONSOLE|RATE_LIMIT)_/;
/** Variables of tests and of demo.env, which may be in the shell's environment. */
const OF_OTHERS =
  /^ZONEWRIGHT_(?:TEST|FAULT|EARLIER)_|^ZONEWRIGHT_(?:(?:IDENTITY|DNS)_URL|NAMESERVER|TENANT_ID|TENANT_NAME|USERNAME|PASSWORD|ACCESS_KEY|SECRET_KEY)$/;

/** Returns the environment variables that a service reads, except for those that the launcher sets. */
export function passedOn(service: ServiceName, environment: Environment): Record<string, string> {
  const names = variablesOf(SERVICES[service]).filter((name) => isPassedOn(name, environment));
  return Object.fromEntries(names.map((name) => [name, environment[name] ?? '']));
}

/**
 * Returns a line with the settings that are passed to services, and a line for each ignored setting and for each
 * unknown name.
 */
export function describeEnvironment(environment: Environment): string[] {
  const passed = [...OF_SERVICES].filter((name) => isPassedOn(name, environment));
  const ignored = [...OF_SERVICES].filter(
    (name) => isSet(name, environment) && whyFixed(name) !== undefined,
  );
  return [
    ...(passed.length === 0
      ? []
      : [`Settings of the environment that are passed to the services: ${passed.join(', ')}.`]),
    ...ignored.map((name) => `${name} is ignored by npm start: ${whyFixed(name) ?? ''}.`),
    ...describeUnread(environment),
  ];
}

function describeUnread(environment: Environment): string[] {
  const misspelled = new Map(
    findMisspelled(environment, KNOWN).map(({ name, meant }) => [name, meant]),
  );
  const ours = Object.keys(environment).filter((name) => OUR_PREFIX.test(name) && !KNOWN.has(name));
  return [...new Set([...misspelled.keys(), ...ours])]
    .filter((name) => isSet(name, environment) && !OF_OTHERS.test(name))
    .map((name) => {
      const meant = misspelled.get(name);
      const hint =
        meant === undefined
          ? 'docs/reference/configuration.md lists all settings'
          : `did you mean ${meant}?`;
      return `Warning: ${name} is not used; ${hint}`;
    });
}

function isPassedOn(name: string, environment: Environment): boolean {
  return isSet(name, environment) && !OWN.has(name) && whyFixed(name) === undefined;
}

/** An empty variable counts as unset, as in the services. */
function isSet(name: string, environment: Environment): boolean {
  return (environment[name] ?? '') !== '';
}
