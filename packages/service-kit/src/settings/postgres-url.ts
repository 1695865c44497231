/** Parts of a PostgreSQL URL with one server or, as in libpq, several. */
interface UrlParts {
  /** `postgres://user:password@` */
  readonly before: string;
  /** `host`, `host:5432` or `[2001:db8::1]:5432`; at least one, which may be empty. */
  readonly hosts: readonly string[];
  /** `/database?parameters` */
  readonly after: string;
}

/** Supported values of `target_session_attrs`. The other values of libpq are for programs that only read. */
const SESSION_ATTRIBUTES: Readonly<Record<string, { readonly takesWrites: boolean }>> = {
  any: { takesWrites: false },
  'read-write': { takesWrites: true },
  primary: { takesWrites: true },
};
const ATTRIBUTE = 'target_session_attrs';

/** Servers in the order in which they are tried (PostgreSQL 16, s34.1.1.3). */
export interface PostgresServers {
  /** One URL for each server, in the form that drivers support. */
  readonly urls: readonly string[];
  /** Whether only a server that accepts writes is used. */
  readonly takesWrites: boolean;
}

/**
 * Reads `postgres://user:password@host1:5432,host2/database?target_session_attrs=read-write`.
 *
 * @throws Error with a message that completes "VARIABLE ..." and does not repeat the URL, which may contain a password
 */
export function readPostgresUrl(text: string): PostgresServers {
  const { before, hosts, after } = splitUrl(text);
  if (hosts.length > 1 && hosts.includes('')) throw new Error('has a host without a name');
  const parsed = hosts.map((host) => before + host + after);
  const first = parsed.find((url) => URL.canParse(url));
  if (first === undefined || !parsed.every((url) => URL.canParse(url))) throw malformed();
  const attribute = new URL(first).searchParams.get(ATTRIBUTE) ?? 'any';
  const wanted = Object.hasOwn(SESSION_ATTRIBUTES, attribute)
    ? SESSION_ATTRIBUTES[attribute]
    : undefined;
  if (wanted === undefined) {
    throw new Error(`has ${ATTRIBUTE}, which must be any, read-write or primary`);
  }
  return { urls: parsed.map(withoutAttribute), ...wanted };
}

/** Adds a connection parameter to a URL of one or several servers. */
export function withUrlParameter(text: string, name: string, value: string): string {
  const { before, hosts, after } = splitUrl(text);
  const url = new URL(before + (hosts[0] ?? '') + after);
  url.searchParams.set(name, value);
  return before + hosts.join(',') + splitUrl(url.href).after;
}

function splitUrl(text: string): UrlParts {
  const [, before, hosts, after] =
    /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^/?#]*)(.*)$/s.exec(text) ?? [];
  if (before === undefined || hosts === undefined || after === undefined) throw malformed();
  return { before, hosts: hosts.split(','), after };
}

function withoutAttribute(text: string): string {
  const url = new URL(text);
  if (!url.searchParams.has(ATTRIBUTE)) return text;
  url.searchParams.delete(ATTRIBUTE);
  return url.href;
}

function malformed(): Error {
  return new Error('must be a URL that starts with postgres:// or postgresql://');
}
