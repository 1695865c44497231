import { readFileSync } from 'node:fs';

/** Address of Redis. */
export type RedisAddress = RedisServer | RedisSentinels | RedisCluster;

/** Options of ioredis. */
export interface RedisLogin {
  readonly username?: string;
  readonly password?: string;
  readonly db?: number;
  readonly tls?: object;
}

export interface RedisNode {
  readonly host: string;
  readonly port: number;
}

interface RedisServer extends RedisLogin, RedisNode {}

/** Sentinels that know the address of the master with this name. */
export interface RedisSentinels extends RedisLogin {
  readonly sentinels: readonly RedisNode[];
  readonly name: string;
  readonly sentinelLogin: RedisLogin;
}

/** Some nodes of a Redis Cluster. They know the others, and all have the same login. */
export interface RedisCluster extends RedisLogin {
  readonly nodes: readonly RedisNode[];
}

const SERVER_PORT = 6379;
const SENTINEL_PORT = 26_379;
/** Query parameters for sentinels: `sentinel_password`, and with ACLs `sentinel_username`. */
const SENTINEL_PARAMETERS = ['sentinel_username', 'sentinel_password'];
/**
 * Parameter with the file of the certificate authority for TLS, named as in libpq. The default is the system's
 * authorities.
 */
const AUTHORITY = 'sslrootcert';

const FORM =
  /^(?<scheme>rediss?)(?:\+(?<kind>sentinel|cluster))?:\/\/(?:(?<login>[^@/?#]*)@)?(?<hosts>[^/?#]*)(?:\/(?<path>[^?#]*))?(?:\?(?<query>[^#]*))?$/;

/**
 * Reads `redis://user:password@host:6379/0`. With sentinels:
 * `redis+sentinel://user:password@host1:26379,host2/NAME/0?sentinel_password=...`. With Redis Cluster:
 * `redis+cluster://user:password@host1:6379,host2`. The scheme `rediss` uses TLS, and `sslrootcert=/path` sets a
 * certificate authority.
 *
 * @throws Error with a message that completes "VARIABLE ..." and does not repeat the URL, which may contain a password
 */
export function readRedisUrl(text: string): RedisAddress {
  const parts = FORM.exec(text)?.groups as UrlParts | undefined;
  if (parts === undefined) throw malformed();
  const login = { ...readLogin(parts.login), ...readTls(parts) };
  if (parts.kind === 'sentinel') return { ...login, ...readSentinels(parts) };
  if (parts.kind === 'cluster') return { ...login, ...readNodes(parts) };
  return { ...login, ...readDatabase(parts.path), ...readHost(parts.hosts, SERVER_PORT) };
}

/** Parts of the URL. Undefined if they are not given. */
interface UrlParts {
  readonly scheme: 'redis' | 'rediss';
  readonly kind: 'sentinel' | 'cluster' | undefined;
  readonly login: string | undefined;
  readonly hosts: string;
  readonly path: string | undefined;
  readonly query: string | undefined;
}

function readTls({ scheme, query }: UrlParts): { readonly tls?: object } {
  if (scheme !== 'rediss') return {};
  const path = new URLSearchParams(query).get(AUTHORITY);
  return { tls: path === null ? {} : { ca: readAuthority(path) } };
}

function readAuthority(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new Error(`has an ${AUTHORITY} that cannot be read`, { cause: error });
  }
}

function readSentinels(parts: UrlParts): RedisSentinels {
  const { hosts, path = '', query = '' } = parts;
  const [name = '', db] = path.split('/');
  if (name === '') throw new Error('lacks the name of the master: redis+sentinel://host/NAME');
  return {
    ...readDatabase(db),
    sentinels: hosts.split(',').map((host) => readHost(host, SENTINEL_PORT)),
    name: decode(name),
    sentinelLogin: { ...readParameters(query), ...readTls(parts) },
  };
}

function readNodes({ hosts, path = '' }: UrlParts): RedisCluster {
  if (path !== '') throw new Error('has a database number, but a cluster has only one database');
  return { nodes: hosts.split(',').map((host) => readHost(host, SERVER_PORT)) };
}

function readLogin(login = ''): RedisLogin {
  const at = login.indexOf(':');
  const username = decode(at === -1 ? login : login.slice(0, at));
  const password = at === -1 ? '' : decode(login.slice(at + 1));
  return { ...(username === '' ? {} : { username }), ...(password === '' ? {} : { password }) };
}

function readDatabase(text = ''): RedisLogin {
  if (text === '') return {};
  if (!/^\d{1,5}$/.test(text)) throw new Error('has a database that is not a number');
  return { db: Number(text) };
}

function readHost(text: string, usualPort: number): { host: string; port: number } {
  const [, bracketed, plain, port] =
    /^(?:\[([\d:a-f.]+)\]|([^:[\]]+))(?::(\d{1,5}))?$/i.exec(text) ?? [];
  const host = bracketed ?? plain;
  if (host === undefined || Number(port ?? 0) > 65_535) throw malformed();
  return { host, port: port === undefined ? usualPort : Number(port) };
}

function readParameters(query: string): RedisLogin {
  const parameters = new URLSearchParams(query);
  const allowed = [...SENTINEL_PARAMETERS, AUTHORITY];
  if ([...parameters.keys()].some((name) => !allowed.includes(name))) {
    throw new Error(`allows only the parameters ${allowed.join(', ')}`);
  }
  const [username, password] = SENTINEL_PARAMETERS.map((name) => parameters.get(name));
  return {
    ...(username == null ? {} : { username }),
    ...(password == null ? {} : { password }),
  };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw malformed();
  }
}

function malformed(): Error {
  return new Error(
    'must be a URL that starts with redis://, rediss://, redis+sentinel:// or redis+cluster://, or with rediss for TLS',
  );
}
