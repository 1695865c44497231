/** Where Redis is, as options of ioredis. */
export type RedisAddress = RedisServer | RedisSentinels;

interface Login {
  readonly username?: string;
  readonly password?: string;
  readonly db?: number;
  readonly tls?: object;
}

interface RedisServer extends Login {
  readonly host: string;
  readonly port: number;
}

/** The master of this name is asked for at the sentinels, at each connection and when they tell of another one. */
interface RedisSentinels extends Login {
  readonly sentinels: { host: string; port: number }[];
  readonly name: string;
  readonly sentinelUsername?: string;
  readonly sentinelPassword?: string;
  readonly sentinelTLS?: object;
  readonly enableTLSForSentinelMode?: boolean;
  readonly failoverDetector: true;
  /** Milliseconds; one that has been stopped is passed by. */
  readonly sentinelCommandTimeout: number;
}

const SERVER_PORT = 6379;
const SENTINEL_PORT = 26_379;
const SENTINEL_TIMEOUT_MS = 1_000;
/** Of a Redis behind sentinels: `sentinel_password`, and with ACLs `sentinel_username`. */
const SENTINEL_PARAMETERS = ['sentinel_username', 'sentinel_password'];

const FORM =
  /^(?<scheme>rediss?)(?<sentinel>\+sentinel)?:\/\/(?:(?<login>[^@/?#]*)@)?(?<hosts>[^/?#]*)(?:\/(?<path>[^?#]*))?(?:\?(?<query>[^#]*))?$/;

/**
 * Reads `redis://user:password@host:6379/0`, or of a Redis behind sentinels
 * `redis+sentinel://user:password@host1:26379,host2/NAME/0?sentinel_password=...`; with `rediss` both over TLS.
 *
 * @throws Error whose message completes "VARIABLE ..." and repeats nothing of the URL, which may hold a password.
 */
export function readRedisUrl(text: string): RedisAddress {
  const parts = FORM.exec(text)?.groups as UrlParts | undefined;
  if (parts === undefined) throw malformed();
  const tls = parts.scheme === 'rediss' ? { tls: {} } : {};
  const login = { ...readLogin(parts.login), ...tls };
  if (parts.sentinel !== undefined) return { ...login, ...readSentinels(parts) };
  return { ...login, ...readDatabase(parts.path), ...readHost(parts.hosts, SERVER_PORT) };
}

/** What stands in the URL; undefined where it has no such part. */
interface UrlParts {
  readonly scheme: 'redis' | 'rediss';
  readonly sentinel: string | undefined;
  readonly login: string | undefined;
  readonly hosts: string;
  readonly path: string | undefined;
  readonly query: string | undefined;
}

function readSentinels({ scheme, hosts, path = '', query = '' }: UrlParts): RedisSentinels {
  const [name = '', db] = path.split('/');
  if (name === '') throw new Error('has no name of the master: redis+sentinel://host/NAME');
  return {
    ...readDatabase(db),
    ...readParameters(query),
    ...(scheme === 'rediss' ? { sentinelTLS: {}, enableTLSForSentinelMode: true } : {}),
    sentinels: hosts.split(',').map((host) => readHost(host, SENTINEL_PORT)),
    name: decode(name),
    failoverDetector: true,
    sentinelCommandTimeout: SENTINEL_TIMEOUT_MS,
  };
}

function readLogin(login = ''): Login {
  const at = login.indexOf(':');
  const username = decode(at === -1 ? login : login.slice(0, at));
  const password = at === -1 ? '' : decode(login.slice(at + 1));
  return { ...(username === '' ? {} : { username }), ...(password === '' ? {} : { password }) };
}

function readDatabase(text = ''): Login {
  if (text === '') return {};
  if (!/^\d{1,5}$/.test(text)) throw new Error('has a database that is no number');
  return { db: Number(text) };
}

function readHost(text: string, usualPort: number): { host: string; port: number } {
  const [, bracketed, plain, port] =
    /^(?:\[([\d:a-f.]+)\]|([^:[\]]+))(?::(\d{1,5}))?$/i.exec(text) ?? [];
  const host = bracketed ?? plain;
  if (host === undefined || Number(port ?? 0) > 65_535) throw malformed();
  return { host, port: port === undefined ? usualPort : Number(port) };
}

function readParameters(query: string): Partial<RedisSentinels> {
  const parameters = new URLSearchParams(query);
  if ([...parameters.keys()].some((name) => !SENTINEL_PARAMETERS.includes(name))) {
    throw new Error(`takes only the parameters ${SENTINEL_PARAMETERS.join(' and ')}`);
  }
  const [sentinelUsername, sentinelPassword] = SENTINEL_PARAMETERS.map((name) =>
    parameters.get(name),
  );
  return {
    ...(sentinelUsername == null ? {} : { sentinelUsername }),
    ...(sentinelPassword == null ? {} : { sentinelPassword }),
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
    'must be a URL that starts with redis://, rediss://, redis+sentinel:// or rediss+sentinel://',
  );
}
