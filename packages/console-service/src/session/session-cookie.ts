import type { Keyring } from '@zonewright/service-kit';
import type { Session } from './session.js';

/** Text that is authenticated with the ciphertext, so that nothing else that the keyring sealed opens as a session. */
const IDENTITY = 'zonewright-console/session/1';
/** Browsers reject larger cookies (RFC 6265 s6.1). */
const MAX_OCTETS = 4096;
/**
 * Minimum age of a cookie before it is sealed again. A new cookie for each request would only make responses larger.
 */
const RENEW_AFTER_MS = 60_000;

interface CookieOptions {
  readonly keys: Keyring;
  readonly idleMs: number;
  readonly now: () => number;
}

/** Sessions as cookies: AES-256-GCM under a keyring that all replicas have (RFC 6265; the `__Host-` prefix: RFC 6265bis s4.1.3). */
export class SessionCookie {
  readonly #options: CookieOptions;

  constructor(options: CookieOptions) {
    this.#options = options;
  }

  /** Reads the session from a Cookie header. Undefined if there is none, or if it cannot be opened or has expired. */
  read(header: string | undefined, isSecure: boolean): Session | undefined {
    const value = valueOf(header, nameOf(isSecure));
    const session = value === undefined ? undefined : this.#open(value);
    if (session === undefined) return undefined;
    const { idleMs, now } = this.#options;
    const hasEnded = session.expiresAt <= now() || session.activeAt + idleMs <= now();
    return hasEnded ? undefined : session;
  }

  /** Composes the Set-Cookie header of a session. @throws Error if browsers would reject it */
  write(session: Session, isSecure: boolean): string {
    const { keys } = this.#options;
    const { keyId, sealed } = keys.seal(Buffer.from(JSON.stringify(session)), IDENTITY);
    const cookie = `${nameOf(isSecure)}=${keyId}.${sealed.toString('base64url')}${attributesOf(isSecure)}`;
    if (cookie.length > MAX_OCTETS) throw new Error('a token is too long for a cookie');
    return cookie;
  }

  /** The Set-Cookie that says that it was used now; undefined while the last one says nearly so. */
  renew(session: Session, isSecure: boolean): string | undefined {
    const activeAt = this.#options.now();
    if (activeAt - session.activeAt < RENEW_AFTER_MS) return undefined;
    return this.write({ ...session, activeAt }, isSecure);
  }

  #open(value: string): Session | undefined {
    const at = value.lastIndexOf('.');
    try {
      const sealed = Buffer.from(value.slice(at + 1), 'base64url');
      const text = this.#options.keys.open({ keyId: value.slice(0, at), sealed }, IDENTITY);
      return JSON.parse(text.toString()) as Session;
    } catch {
      // Altered, cut, or sealed by a key that is gone.
      return undefined;
    }
  }
}

/** The Set-Cookie that makes a browser forget it. */
export function forgetCookie(isSecure: boolean): string {
  return `${nameOf(isSecure)}=${attributesOf(isSecure)}; Max-Age=0`;
}

function nameOf(isSecure: boolean): string {
  return isSecure ? '__Host-zonewright' : 'zonewright';
}

function attributesOf(isSecure: boolean): string {
  return `; Path=/; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`;
}

function valueOf(header: string | undefined, name: string): string | undefined {
  const values = (header ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`));
  // Two cookies with one name: somebody else has planted one (RFC 6265 s8.6).
  return values.length === 1 ? values[0]?.slice(name.length + 1) : undefined;
}
