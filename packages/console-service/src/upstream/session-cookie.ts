import type { Keyring } from '@zonewright/service-kit';
import type { OpenedSession } from './identity.js';

/** Texts that are authenticated with the ciphertext, so that one kind of cookie cannot be used as the other. */
const IDENTITIES = {
  session: 'zonewright-console/session/1',
  known: 'zonewright-console/returning-browser/1',
};

type CookieKind = keyof typeof IDENTITIES;

/** Lifetime of the mark of a returning browser, as long as identity-service accepts it, in seconds. */
const RETURNING_SECONDS = 180 * 86_400;
/** Maximum size of a cookie in browsers (RFC 6265 s6.1). */
const MAX_OCTETS = 4096;
/**
 * Minimum age of a cookie before it is encrypted again. A new cookie for each request would only make responses larger.
 */
const RENEW_AFTER_MS = 60_000;

/** Browser that has logged in before. */
interface ReturningBrowser {
  readonly username: string;
  /** Mark that identity-service encrypted. */
  readonly mark: string;
}

interface CookieOptions {
  readonly keys: Keyring;
  readonly idleMs: number;
  readonly now: () => number;
}

/**
 * Sessions, and marks of returning browsers, as cookies. They are encrypted with AES-256-GCM under a keyring that all
 * replicas have (RFC 6265; the `__Host-` prefix: RFC 6265bis s4.1.3).
 */
export class SessionCookie {
  readonly #options: CookieOptions;

  constructor(options: CookieOptions) {
    this.#options = options;
  }

  /** Reads the session from a Cookie header. Undefined if it is missing, invalid or expired. */
  read(header: string | undefined, isSecure: boolean): Session | undefined {
    const session = this.#open('session', header, isSecure) as Session | undefined;
    if (session === undefined) return undefined;
    const { idleMs, now } = this.#options;
    const hasEnded = session.expiresAt <= now() || session.activeAt + idleMs <= now();
    return hasEnded ? undefined : session;
  }

  /** Composes the Set-Cookie header of a session. @throws Error if browsers would reject it */
  write(session: Session, isSecure: boolean): string {
    return this.#seal('session', session, isSecure);
  }

  /** Returns the mark by which identity-service recognizes this browser, if its last login had this name. */
  readReturning(
    header: string | undefined,
    isSecure: boolean,
    username: string,
  ): string | undefined {
    const known = this.#open('known', header, isSecure) as ReturningBrowser | undefined;
    return known?.username === username ? known.mark : undefined;
  }

  /** Composes the Set-Cookie header by which a browser is recognized after its session. */
  writeReturning(known: ReturningBrowser, isSecure: boolean): string {
    return `${this.#seal('known', known, isSecure)}; Max-Age=${RETURNING_SECONDS}`;
  }

  /** Returns a Set-Cookie header with the time of this use. Undefined if the current cookie is new enough. */
  renew(session: Session, isSecure: boolean): string | undefined {
    const activeAt = this.#options.now();
    if (activeAt - session.activeAt < RENEW_AFTER_MS) return undefined;
    return this.write({ ...session, activeAt }, isSecure);
  }

  #seal(kind: CookieKind, value: unknown, isSecure: boolean): string {
    const { keys } = this.#options;
    const { keyId, sealed } = keys.seal(Buffer.from(JSON.stringify(value)), IDENTITIES[kind]);
    const cookie = `${nameOf(kind, isSecure)}=${keyId}.${sealed.toString('base64url')}${attributesOf(isSecure)}`;
    if (cookie.length > MAX_OCTETS) throw new Error('the token is too long for a cookie');
    return cookie;
  }

  #open(kind: CookieKind, header: string | undefined, isSecure: boolean): unknown {
    const value = valueOf(header, nameOf(kind, isSecure));
    if (value === undefined) return undefined;
    const at = value.lastIndexOf('.');
    try {
      const sealed = Buffer.from(value.slice(at + 1), 'base64url');
      const text = this.#options.keys.open({ keyId: value.slice(0, at), sealed }, IDENTITIES[kind]);
      return JSON.parse(text.toString());
    } catch {
      // The cookie was altered or truncated, or its key has been removed.
      return undefined;
    }
  }
}

/** Returns the Set-Cookie header that deletes the session. The mark of the browser is kept. */
export function forgetCookie(isSecure: boolean): string {
  return `${nameOf('session', isSecure)}=${attributesOf(isSecure)}; Max-Age=0`;
}

function nameOf(kind: CookieKind, isSecure: boolean): string {
  const name = kind === 'session' ? 'zonewright' : 'zonewright-returning';
  return isSecure ? `__Host-${name}` : name;
}

function attributesOf(isSecure: boolean): string {
  return `; Path=/; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`;
}

function valueOf(header: string | undefined, name: string): string | undefined {
  const values = (header ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`));
  // If there are two cookies with one name, another site has set one of them (RFC 6265 s8.6).
  return values.length === 1 ? values[0]?.slice(name.length + 1) : undefined;
}

/** Session of a browser. It is stored encrypted in the cookie, not in this service. */
export interface Session extends OpenedSession {
  /** Time of the last request by the user, in milliseconds since 1970. */
  readonly activeAt: number;
}
