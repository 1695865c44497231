// Writes what each of three hosts gets below `/`, with new secrets and certificates: docs/operations/high-availability.md.
//
//   node deploy/three-hosts/prepare.mjs FOLDER --addresses 10.0.0.1,10.0.0.2,10.0.0.3 --nameserver-domain dns.example.net \
//     --identity-url https://identity.example.net --dns-url https://dns.example.net [--postgresql 15]
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { SECRETS } from '../../docker/secret-values.mjs';
import { ROOT } from '../../scripts/install.mjs';

const NAMES = ['addresses', 'nameserver-domain', 'identity-url', 'dns-url'];
/** Where systemd puts it for the nameserver alone. */
const NAMESERVER_AUTHORITY = '/run/credentials/zonewright-nameserver.service/postgresql-ca.pem';
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    ...Object.fromEntries(NAMES.map((name) => [name, { type: 'string' }])),
    // As Debian 12 has it.
    postgresql: { type: 'string', default: '15' },
  },
});
const [folder] = positionals;
const addresses = values.addresses?.split(',') ?? [];
if (folder === undefined || addresses.length !== 3 || NAMES.some((name) => !values[name])) {
  console.error(
    `usage: prepare.mjs FOLDER ${NAMES.map((name) => `--${name} ...`).join(' ')} [--postgresql 15], with three addresses`,
  );
  process.exit(2);
}

// Only a new folder: other secrets than before would open neither the databases nor what is encrypted in them.
mkdirSync(folder, { mode: 0o700 });
const authority = join(folder, 'authority');
mkdirSync(authority);
makeAuthority();
const secret = Object.fromEntries(Object.entries(SECRETS).map(([name, make]) => [name, make()]));
for (const login of ['SUPERUSER', 'REPLICATION', 'REWIND'])
  secret[`${login}_PASSWORD`] = SECRETS.POSTGRES_PASSWORD();
for (const place of addresses.keys()) prepareHost(place);
console.log(`Wrote ${folder}: host-1, host-2, host-3. Keep a copy where backups are kept.`);

function prepareHost(place) {
  const root = join(folder, `host-${place + 1}`);
  const write = (path, text, mode = 0o600) => {
    const file = join(root, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text, { mode });
  };
  const own = addresses[place];
  makeCertificate(place, own);
  for (const program of ['etcd', 'patroni', 'redis']) {
    for (const name of ['host.pem', 'host-key.pem'])
      write(
        `etc/${program}/${name}`,
        readFileSync(join(authority, name.replace('host', `host-${place + 1}`))),
      );
    write(`etc/${program}/ca.pem`, readFileSync(join(authority, 'ca.pem')), 0o644);
  }
  write('etc/default/etcd', lines(etcd(place, own)), 0o644);
  write('etc/patroni/config.yml', patroniFile());
  write('etc/patroni/env', lines(patroni(place, own)));
  write(
    'etc/systemd/system/patroni.service.d/zonewright.conf',
    '[Service]\nEnvironmentFile=/etc/patroni/env\n',
    0o644,
  );
  write('etc/redis/redis.conf', redis(place, own));
  write('etc/redis/sentinel.conf', sentinel(own));
  for (const [name, variables] of Object.entries(services(place, own)))
    write(`etc/zonewright/${name}.env`, lines(variables));
  for (const name of ['ca.pem', 'postgresql-ca.pem'])
    write(`etc/zonewright/${name}`, readFileSync(join(authority, 'ca.pem')), 0o644);
  // Those of the nameserver alone are files, as on a machine of its own.
  write('etc/zonewright/DATABASE_URL', databaseUrl('nameserver', NAMESERVER_AUTHORITY));
  const ofNameserver = pick(
    ...['NAMESERVER_COOKIE_SECRETS', 'TRANSFER_ENCRYPTION_KEYS'],
    ...['NAMESERVER_SERVICE_ACCESS_KEY', 'NAMESERVER_SERVICE_SECRET_KEY'],
  );
  for (const [name, value] of Object.entries(ofNameserver)) write(`etc/zonewright/${name}`, value);
  for (const unit of [
    'nameserver/zonewright-nameserver.service',
    'three-hosts/zonewright@.service',
  ])
    cpSync(
      join(ROOT, 'deploy', unit),
      join(root, 'etc/systemd/system', unit.slice(unit.indexOf('/') + 1)),
    );
}

/** Of etcd: who it is, where the others are, and that nobody is heard without a certificate of ours. */
function etcd(place, own) {
  const files = (prefix) => ({
    [`ETCD_${prefix}CERT_FILE`]: '/etc/etcd/host.pem',
    [`ETCD_${prefix}KEY_FILE`]: '/etc/etcd/host-key.pem',
    [`ETCD_${prefix}TRUSTED_CA_FILE`]: '/etc/etcd/ca.pem',
    [`ETCD_${prefix}CLIENT_CERT_AUTH`]: 'true',
  });
  return {
    ETCD_NAME: `host-${place + 1}`,
    ETCD_DATA_DIR: '/var/lib/etcd/zonewright',
    ETCD_INITIAL_CLUSTER: addresses
      .map((address, at) => `host-${at + 1}=https://${address}:2380`)
      .join(','),
    ETCD_INITIAL_CLUSTER_TOKEN: 'zonewright',
    ETCD_INITIAL_ADVERTISE_PEER_URLS: `https://${own}:2380`,
    ETCD_ADVERTISE_CLIENT_URLS: `https://${own}:2379`,
    ETCD_LISTEN_PEER_URLS: `https://${own}:2380`,
    ETCD_LISTEN_CLIENT_URLS: `https://${own}:2379`,
    ...files(''),
    ...files('PEER_'),
  };
}

/** What all clusters have, with PostgreSQL behind TLS. */
function patroniFile() {
  const file = readFileSync(join(ROOT, 'deploy/patroni/patroni.yml'), 'utf8');
  return `${file.replaceAll('- host ', '- hostssl ')}    ssl: 'on'
    ssl_cert_file: /etc/patroni/host.pem
    ssl_key_file: /etc/patroni/host-key.pem
    ssl_ca_file: /etc/patroni/ca.pem
`;
}

function patroni(place, own) {
  const files = (prefix, certificate = 'CERT') => ({
    [`PATRONI_${prefix}_CACERT`]: '/etc/patroni/ca.pem',
    [`PATRONI_${prefix}_${certificate}`]: '/etc/patroni/host.pem',
    [`PATRONI_${prefix}_${certificate.replace('CERT', 'KEY')}`]: '/etc/patroni/host-key.pem',
  });
  const login = (name) => ({
    [`PATRONI_${name}_PASSWORD`]: secret[`${name}_PASSWORD`],
    [`PATRONI_${name}_SSLMODE`]: 'verify-ca',
    [`PATRONI_${name}_SSLROOTCERT`]: '/etc/patroni/ca.pem',
  });
  return {
    PATRONI_NAME: `host-${place + 1}`,
    PATRONI_ETCD3_HOSTS: addresses.map((address) => `'${address}:2379'`).join(','),
    PATRONI_ETCD3_PROTOCOL: 'https',
    ...files('ETCD3'),
    PATRONI_RESTAPI_LISTEN: `${own}:8008`,
    PATRONI_RESTAPI_CONNECT_ADDRESS: `${own}:8008`,
    PATRONI_RESTAPI_CERTFILE: '/etc/patroni/host.pem',
    PATRONI_RESTAPI_KEYFILE: '/etc/patroni/host-key.pem',
    PATRONI_RESTAPI_CAFILE: '/etc/patroni/ca.pem',
    // Reading is for balancers, too; what changes something needs a certificate of ours.
    PATRONI_RESTAPI_VERIFY_CLIENT: 'optional',
    ...files('CTL', 'CERTFILE'),
    PATRONI_POSTGRESQL_LISTEN: `${own}:5432`,
    PATRONI_POSTGRESQL_CONNECT_ADDRESS: `${own}:5432`,
    PATRONI_POSTGRESQL_DATA_DIR: '/var/lib/postgresql/zonewright',
    PATRONI_POSTGRESQL_BIN_DIR: `/usr/lib/postgresql/${values.postgresql}/bin`,
    PATRONI_POSTGRESQL_PGPASS: '/var/lib/postgresql/.pgpass-patroni',
    ...login('SUPERUSER'),
    ...login('REPLICATION'),
    ...login('REWIND'),
  };
}

/** Redis keeps nothing that PostgreSQL does not have; the first host begins as the master. */
function redis(place, own) {
  return `${redisTls(own, 6379)}save ""
appendonly no
requirepass ${secret.REDIS_PASSWORD}
masterauth ${secret.REDIS_PASSWORD}
maxmemory-policy noeviction
dir /var/lib/redis
${place === 0 ? '' : `replicaof ${addresses[0]} 6379\n`}`;
}

function sentinel(own) {
  return `${redisTls(own, 26379)}requirepass ${secret.REDIS_PASSWORD}
sentinel sentinel-pass ${secret.REDIS_PASSWORD}
sentinel monitor zonewright ${addresses[0]} 6379 2
sentinel auth-pass zonewright ${secret.REDIS_PASSWORD}
sentinel down-after-milliseconds zonewright 2000
sentinel failover-timeout zonewright 10000
dir /var/lib/redis
`;
}

function redisTls(own, port) {
  return `bind ${own}
port 0
tls-port ${port}
tls-replication yes
tls-auth-clients no
tls-cert-file /etc/redis/host.pem
tls-key-file /etc/redis/host-key.pem
tls-ca-cert-file /etc/redis/ca.pem
`;
}

function services(place, own) {
  const ours = addresses.map((address, at) => `ns1-${at + 1}=${address}`);
  const identityUrl = 'http://127.0.0.1:35357';
  return {
    'identity-service': {
      DATABASE_URL: databaseUrl('identity'),
      REDIS_URL: redisUrl(),
      IDENTITY_PUBLIC_URL: values['identity-url'],
      // The console of this host, which names the addresses of browsers.
      TRUST_PROXY: '1',
      TRUST_PROXY_ADDRESSES: '127.0.0.1/32',
      ...pick('ENCRYPTION_KEYS'),
    },
    'dns-api': {
      DATABASE_URL: databaseUrl('dns_api'),
      REDIS_URL: redisUrl(),
      // The one on this host: a host is used as a whole, or not at all.
      IDENTITY_URL: identityUrl,
      DNS_API_PUBLIC_URL: values['dns-url'],
      DNS_API_CHECK_NAMESERVERS: ours.map((each) => `${each}:53`).join(','),
      ...pick('DNS_API_SERVICE_ACCESS_KEY', 'DNS_API_SERVICE_SECRET_KEY'),
      ...pick('TRANSFER_ENCRYPTION_KEYS'),
      SIGNER_URL: 'http://127.0.0.1:9004',
      ...pick('SIGNER_SECRET'),
    },
    signer: {
      DATABASE_URL: databaseUrl('signer'),
      SIGNER_HOST: '127.0.0.1',
      ...pick('SIGNER_ENCRYPTION_KEYS', 'SIGNER_SECRET'),
    },
    'console-service': {
      IDENTITY_URL: identityUrl,
      CONSOLE_DNS_API_URL: 'http://127.0.0.1:9001',
      // The same on all hosts: a session goes on at each of them.
      ...pick('CONSOLE_SESSION_KEYS'),
    },
    nameserver: {
      NAMESERVER_NAME: `ns1-${place + 1}`,
      NAMESERVER_HOST: own,
      NAMESERVER_OPERATIONS_HOST: '127.0.0.1',
      NAMESERVER_UPDATE_URL: 'http://127.0.0.1:9001',
      IDENTITY_URL: identityUrl,
    },
    migrate: {
      DATABASE_URL: databaseUrl(),
      SUPERUSER_URL: postgresUrl('postgres', secret.SUPERUSER_PASSWORD, 'postgres'),
      ...pick('POSTGRES_PASSWORD', 'IDENTITY_DATABASE_PASSWORD', 'DNS_API_DATABASE_PASSWORD'),
      ...pick('NAMESERVER_DATABASE_PASSWORD', 'OPERATOR_DATABASE_PASSWORD'),
      ...pick('SIGNER_DATABASE_PASSWORD'),
    },
    operator: {
      DATABASE_URL: databaseUrl('operator'),
      REDIS_URL: redisUrl(),
      IDENTITY_URL: identityUrl,
      DNS_API_URL: 'http://127.0.0.1:9001',
      ...pick('ENCRYPTION_KEYS', 'TRANSFER_ENCRYPTION_KEYS', 'ADMINISTRATOR_PASSWORD'),
      ...pick('DNS_API_SERVICE_ACCESS_KEY', 'DNS_API_SERVICE_SECRET_KEY'),
      ...pick('NAMESERVER_SERVICE_ACCESS_KEY', 'NAMESERVER_SERVICE_SECRET_KEY'),
      BOOTSTRAP: [
        `--identity-url=${values['identity-url']} --dns-url=${values['dns-url']}`,
        `--nameserver-domain=${values['nameserver-domain']}`,
        ...ours.map((each) => `--nameserver=${each}`),
      ].join(' '),
    },
  };
}

/** Of one login of a program; without one as the owner of the schema. */
function databaseUrl(login, ca = '/etc/zonewright/ca.pem') {
  const password =
    login === undefined ? 'POSTGRES_PASSWORD' : `${login.toUpperCase()}_DATABASE_PASSWORD`;
  const user = login === undefined ? 'zonewright' : `zonewright_${login}`;
  return postgresUrl(user, secret[password], 'zonewright', ca);
}

function postgresUrl(user, password, database, ca = '/etc/zonewright/ca.pem') {
  const parameters = `target_session_attrs=read-write&sslmode=verify-full&sslrootcert=${ca}`;
  return `postgres://${user}:${password}@${addresses.join(',')}/${database}?${parameters}`;
}

function redisUrl() {
  const { REDIS_PASSWORD: password } = secret;
  const parameters = `sentinel_password=${password}&sslrootcert=/etc/zonewright/ca.pem`;
  return `rediss+sentinel://:${password}@${addresses.join(',')}/zonewright/0?${parameters}`;
}

function pick(...names) {
  return Object.fromEntries(names.map((name) => [name, secret[name]]));
}

/** As systemd and a shell read them. */
function lines(variables) {
  return Object.entries(variables)
    .map(([name, value]) => `${name}="${value}"\n`)
    .join('');
}

/** Of this installation alone: whatever it has signed is one of the three hosts. */
function makeAuthority() {
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const files = ['-keyout', join(authority, 'ca-key.pem'), '-out', join(authority, 'ca.pem')];
  openssl('req', '-x509', ...key, ...files, '-days', '3650', '-subj', '/CN=zonewright');
}

function makeCertificate(place, address) {
  const of = (name) => join(authority, name);
  const host = `host-${place + 1}`;
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  openssl(
    'req',
    ...key,
    '-keyout',
    of(`${host}-key.pem`),
    '-out',
    of('csr'),
    '-subj',
    `/CN=${host}`,
  );
  writeFileSync(of('extensions'), `subjectAltName=IP:${address},IP:127.0.0.1,DNS:${host}\n`);
  const signer = ['-CA', of('ca.pem'), '-CAkey', of('ca-key.pem'), '-CAcreateserial'];
  const result = ['-out', of(`${host}.pem`), '-days', '3650', '-extfile', of('extensions')];
  openssl('x509', '-req', '-in', of('csr'), ...signer, ...result);
}

function openssl(...args) {
  execFileSync('openssl', args, { stdio: ['ignore', 'ignore', 'pipe'] });
}
