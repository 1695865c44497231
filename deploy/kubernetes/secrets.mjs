// Prints the seven secrets that the set refers to, for `kubectl apply`: each program gets what it needs and no more.
//
//   node scripts/generate-env.mjs secrets.env        once; keep the file where nobody reads it, it is the only copy
//   node deploy/kubernetes/secrets.mjs secrets.env --database db.example.net:5432/zonewright --redis redis.example.net:6379 \
//     | kubectl apply --namespace zonewright --filename -
//
// For components/postgresql `--cloudnative-pg` in the place of `--database`, and one secret more.
// With TLS: `--database 'db.example.net:5432/zonewright?sslmode=verify-full'`, `--redis rediss://redis.example.net:6380`;
// a Redis that fails over: `--redis redis+sentinel://one:26379,two,three/NAME`, `--redis redis+cluster://one:6379,two,three`.
//
// The login `zonewright` owns the database, may create roles and has POSTGRES_PASSWORD; `migrate` makes the others.
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    database: { type: 'string' },
    'cloudnative-pg': { type: 'boolean' },
    redis: { type: 'string' },
  },
});
const [file] = positionals;
const isCluster = values['cloudnative-pg'] === true;
const server = isCluster
  ? 'zonewright-postgresql-rw:5432/zonewright?sslmode=verify-full&sslrootcert=/etc/zonewright/postgresql/ca.crt'
  : values.database;
if (file === undefined || server === undefined || values.redis === undefined) {
  console.error(
    'usage: node deploy/kubernetes/secrets.mjs FILE (--database HOST:PORT/NAME[?sslmode=MODE] | --cloudnative-pg) --redis [SCHEME://]HOST:PORT',
  );
  process.exit(2);
}

const made = Object.fromEntries(
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => /^[A-Z]/.test(line))
    .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
);

function get(variable) {
  if (made[variable]) return made[variable];
  console.error(
    `${file} has no ${variable}; node scripts/generate-env.mjs FILE makes all of them.`,
  );
  process.exit(1);
}
const pick = (...variables) =>
  Object.fromEntries(variables.map((variable) => [variable, get(variable)]));
const database = (login, variable) => ({
  DATABASE_URL: `postgres://${login}:${encodeURIComponent(get(variable))}@${server}`,
});
const [, scheme = 'redis', redisHost] = /^(?:(rediss?(?:\+sentinel|\+cluster)?):\/\/)?(.*)$/.exec(
  values.redis,
);
const redis = {
  REDIS_URL: `${scheme}://:${encodeURIComponent(get('REDIS_PASSWORD'))}@${redisHost}`,
};

/** A file that was made before there were these goes on: TSIG keys cannot be stored then. */
const transferKeys = made.TRANSFER_ENCRYPTION_KEYS ? pick('TRANSFER_ENCRYPTION_KEYS') : {};
/** Made for the console alone; without it there is none. */
const sessionKeys = made.CONSOLE_SESSION_KEYS
  ? { 'zonewright-console-service': pick('CONSOLE_SESSION_KEYS') }
  : {};
/** Nor are dynamic updates relayed. */
const nameserverKey = made.NAMESERVER_SERVICE_ACCESS_KEY
  ? pick('NAMESERVER_SERVICE_ACCESS_KEY', 'NAMESERVER_SERVICE_SECRET_KEY')
  : {};

/** Nor is anything signed. */
const hasSigner = Boolean(made.SIGNER_ENCRYPTION_KEYS);

const secrets = {
  'zonewright-migrate': {
    ...database('zonewright', 'POSTGRES_PASSWORD'),
    ...pick('IDENTITY_DATABASE_PASSWORD', 'DNS_API_DATABASE_PASSWORD'),
    ...pick('NAMESERVER_DATABASE_PASSWORD', 'OPERATOR_DATABASE_PASSWORD'),
    ...(hasSigner ? pick('SIGNER_DATABASE_PASSWORD') : {}),
  },
  'zonewright-operator': {
    ...database('zonewright_operator', 'OPERATOR_DATABASE_PASSWORD'),
    ...pick('ENCRYPTION_KEYS', 'ADMINISTRATOR_PASSWORD'),
    ...pick('DNS_API_SERVICE_ACCESS_KEY', 'DNS_API_SERVICE_SECRET_KEY'),
    ...nameserverKey,
  },
  'zonewright-identity-service': {
    ...database('zonewright_identity', 'IDENTITY_DATABASE_PASSWORD'),
    ...redis,
    ...pick('ENCRYPTION_KEYS'),
  },
  'zonewright-dns-api': {
    ...database('zonewright_dns_api', 'DNS_API_DATABASE_PASSWORD'),
    ...redis,
    ...pick('DNS_API_SERVICE_ACCESS_KEY', 'DNS_API_SERVICE_SECRET_KEY'),
    ...transferKeys,
    ...(hasSigner ? pick('SIGNER_SECRET') : {}),
  },
  'zonewright-nameserver': {
    ...database('zonewright_nameserver', 'NAMESERVER_DATABASE_PASSWORD'),
    ...pick('NAMESERVER_COOKIE_SECRETS'),
    ...transferKeys,
    ...nameserverKey,
  },
  ...sessionKeys,
  ...(hasSigner
    ? {
        'zonewright-signer': {
          ...database('zonewright_signer', 'SIGNER_DATABASE_PASSWORD'),
          ...pick('SIGNER_ENCRYPTION_KEYS', 'SIGNER_SECRET'),
        },
      }
    : {}),
};

const secretOf = (name, type, stringData) => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name, labels: { 'app.kubernetes.io/part-of': 'zonewright' } },
  type,
  stringData,
});
const items = Object.entries(secrets).map(([name, data]) => secretOf(name, 'Opaque', data));
if (isCluster) {
  const owner = { username: 'zonewright', password: get('POSTGRES_PASSWORD') };
  items.push(secretOf('zonewright-postgresql', 'kubernetes.io/basic-auth', owner));
}
console.log(JSON.stringify({ apiVersion: 'v1', kind: 'List', items }, undefined, 2));
