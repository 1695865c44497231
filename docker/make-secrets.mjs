// The one-shot container `secrets` of docker-compose.yml: creates missing secrets once, and writes those of each
// program as files to a volume that no other program mounts.
//
//   node make-secrets.mjs           takes values from the environment (NAME, or the file in NAME_FILE), or else from the volume of
//                                   an earlier run, or else creates them
//   node make-secrets.mjs print     prints all in the format of .env, for a backup or for use with an .env file
//
// A file is first written under another name, so that nobody reads half of it, and only if its content changes.
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SECRETS } from './secret-values.mjs';

const FOLDER = process.env.SECRETS_FOLDER || '/secrets';
/** Folder for secrets of earlier runs. No other program mounts it. */
const KEPT = join(FOLDER, 'kept');
/** Secrets of the user `demo`. The key also signs updates, whose programs require base64. */
const DEMO_SECRETS = {
  DEMO_PASSWORD: SECRETS.ADMINISTRATOR_PASSWORD,
  DEMO_ACCESS_KEY: SECRETS.DNS_API_SERVICE_ACCESS_KEY,
  DEMO_SECRET_KEY: () => randomBytes(30).toString('base64'),
};
const OWNER_ONLY = 0o400;
/**
 * Mode of secret files. The images of PostgreSQL and Redis have their own users, and mounting the volume is what gives
 * access.
 */
const ALL_OF_ONE_CONTAINER = 0o444;

function given(name) {
  const value = process.env[name];
  const path = process.env[`${name}_FILE`];
  if (value && path) throw new Error(`${name} and ${name}_FILE are both set: unset one`);
  return value || (path ? read(path) : undefined);
}

const read = (path) => readFileSync(path, 'utf8').replace(/\r?\n$/, '');
const kept = (name) => (existsSync(join(KEPT, name)) ? read(join(KEPT, name)) : undefined);

function write(path, content, mode) {
  if (existsSync(path) && readFileSync(path, 'utf8') === content) return;
  writeFileSync(`${path}.new`, content, { mode, flush: true });
  renameSync(`${path}.new`, path);
}

/** Returns the files of each program by the setting that they are for. */
function filesOf(secrets) {
  const pick = (...names) =>
    Object.fromEntries(
      names.filter((name) => name in secrets).map((name) => [name, secrets[name]]),
    );
  const database = (login, name) => ({
    DATABASE_URL: `postgres://${login}:${encodeURIComponent(secrets[name])}@postgres:5432/zonewright`,
  });
  const redis = {
    REDIS_URL: `redis://:${encodeURIComponent(secrets.REDIS_PASSWORD)}@redis:6379`,
  };
  const serviceKey = pick('DNS_API_SERVICE_ACCESS_KEY', 'DNS_API_SERVICE_SECRET_KEY');
  const nameserverKey = pick('NAMESERVER_SERVICE_ACCESS_KEY', 'NAMESERVER_SERVICE_SECRET_KEY');
  return {
    postgres: pick('POSTGRES_PASSWORD'),
    redis: pick('REDIS_PASSWORD'),
    migrate: {
      ...database('zonewright', 'POSTGRES_PASSWORD'),
      ...pick('IDENTITY_DATABASE_PASSWORD', 'DNS_API_DATABASE_PASSWORD'),
      ...pick('NAMESERVER_DATABASE_PASSWORD', 'SIGNER_DATABASE_PASSWORD'),
      ...pick('OPERATOR_DATABASE_PASSWORD'),
    },
    operator: {
      ...database('zonewright_operator', 'OPERATOR_DATABASE_PASSWORD'),
      ...redis,
      ...serviceKey,
      ...nameserverKey,
      ...pick('ENCRYPTION_KEYS', 'TRANSFER_ENCRYPTION_KEYS'),
      ...pick('ADMINISTRATOR_PASSWORD', ...Object.keys(DEMO_SECRETS)),
    },
    'identity-service': {
      ...database('zonewright_identity', 'IDENTITY_DATABASE_PASSWORD'),
      ...redis,
      ...pick('ENCRYPTION_KEYS'),
    },
    'dns-api': {
      ...database('zonewright_dns_api', 'DNS_API_DATABASE_PASSWORD'),
      ...redis,
      ...serviceKey,
      ...pick('TRANSFER_ENCRYPTION_KEYS', 'SIGNER_SECRET'),
    },
    signer: {
      ...database('zonewright_signer', 'SIGNER_DATABASE_PASSWORD'),
      ...pick('SIGNER_ENCRYPTION_KEYS', 'SIGNER_SECRET'),
    },
    nameserver: {
      ...database('zonewright_nameserver', 'NAMESERVER_DATABASE_PASSWORD'),
      ...nameserverKey,
      ...pick('NAMESERVER_COOKIE_SECRETS', 'TRANSFER_ENCRYPTION_KEYS'),
    },
    'console-service': pick('CONSOLE_SESSION_KEYS'),
  };
}

/**
 * Returns names and generators. The tenant and user `demo` are only for trials: if the password of PostgreSQL was given
 * at the first start, an operator is setting up an installation.
 */
function namesAndMakers() {
  const isFirst =
    given('POSTGRES_PASSWORD') === undefined && kept('POSTGRES_PASSWORD') === undefined;
  if (!isFirst && kept('DEMO_PASSWORD') === undefined) return SECRETS;
  return { ...SECRETS, ...DEMO_SECRETS };
}

function main(command) {
  const secrets = {};
  const made = [];
  for (const [name, make] of Object.entries(namesAndMakers())) {
    secrets[name] = given(name) ?? kept(name);
    if (secrets[name] !== undefined) continue;
    if (command === 'print')
      throw new Error(`there is no ${name} yet: docker-compose up -d makes it`);
    secrets[name] = make();
    made.push(name);
  }
  if (command === 'print') {
    for (const [name, value] of Object.entries(secrets)) console.log(`${name}=${value}`);
    return;
  }
  for (const [name, value] of Object.entries(secrets)) write(join(KEPT, name), value, OWNER_ONLY);
  for (const [program, files] of Object.entries(filesOf(secrets))) {
    for (const [name, value] of Object.entries(files)) {
      write(join(FOLDER, program, name), value, ALL_OF_ONE_CONTAINER);
    }
  }
  console.log(made.length === 0 ? 'secrets: all are there' : `secrets: made ${made.join(', ')}`);
}

try {
  main(process.argv[2]);
} catch (error) {
  console.error(`secrets: ${error.message}`);
  process.exit(1);
}
