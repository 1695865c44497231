import { describe, expect, it } from '@jest/globals';
import { generateKeyringText, parseKeyring } from '@zonewright/service-kit';
import { SessionCookie } from './session-cookie.js';

const HOUR = 3_600_000;
const OLD = generateKeyringText('old');
const NEW = generateKeyringText('new');

function cookies(keyring: string, now = { time: 0 }) {
  const keys = parseKeyring(keyring);
  return { now, cookie: new SessionCookie({ keys, idleMs: HOUR, now: () => now.time }) };
}
const SESSION = {
  token: 'a-token',
  user: { id: 'u1', name: 'alice' },
  expiresAt: 12 * HOUR,
  activeAt: 0,
};
const sent = (setCookie: string) => setCookie.split(';')[0] ?? '';

describe('the cookie of a session', () => {
  it('can be opened only with the key, and reveals nothing', () => {
    const { cookie } = cookies(OLD);
    const written = cookie.write(SESSION, true);
    expect(written).toMatch(
      /^__Host-zonewright=old\.[\w-]+; Path=\/; HttpOnly; SameSite=Strict; Secure$/,
    );
    expect(written).not.toContain('a-token');
    expect(cookie.read(`other=1; ${sent(written)}`, true)).toEqual(SESSION);
    expect(cookie.read(sent(written), false)).toBeUndefined();
  });

  it('stays valid when the key is replaced, and becomes invalid when the key is removed', () => {
    const header = sent(cookies(OLD).cookie.write(SESSION, true));
    expect(cookies(`${NEW},${OLD}`).cookie.read(header, true)).toEqual(SESSION);
    expect(cookies(NEW).cookie.read(header, true)).toBeUndefined();
  });

  it('expires after an hour without a request, and with its token', () => {
    const { cookie, now } = cookies(OLD);
    const first = sent(cookie.write(SESSION, true));
    now.time = HOUR - 1;
    const renewed = cookie.renew(SESSION, true) ?? '';
    now.time = HOUR;
    expect(cookie.read(first, true)).toBeUndefined();
    expect(cookie.read(sent(renewed), true)).toMatchObject({ activeAt: HOUR - 1 });
    const late = cookie.write({ ...SESSION, activeAt: 12 * HOUR - 1 }, true);
    now.time = 12 * HOUR;
    expect(cookie.read(sent(late), true)).toBeUndefined();
  });

  it('is not sealed again for each request', () => {
    const { cookie, now } = cookies(OLD);
    now.time = 59_999;
    expect(cookie.renew(SESSION, true)).toBeUndefined();
  });

  it('cannot be opened as another cookie', () => {
    const { cookie } = cookies(OLD);
    const known = sent(cookie.writeReturning({ username: 'alice', mark: 'a-mark' }, true));
    expect(known).toMatch(/^__Host-zonewright-returning=/);
    expect(cookie.readReturning(known, true, 'alice')).toBe('a-mark');
    expect(cookie.readReturning(known, true, 'bob')).toBeUndefined();
    expect(cookie.read(known.replace('-known=', '='), true)).toBeUndefined();
    const session = sent(cookie.write(SESSION, true)).replace(
      'zonewright=',
      'zonewright-returning=',
    );
    expect(cookie.readReturning(session, true, 'alice')).toBeUndefined();
    expect(cookies(NEW).cookie.readReturning(known, true, 'alice')).toBeUndefined();
  });

  it('is refused if browsers would not store it', () => {
    const { cookie } = cookies(OLD);
    expect(() => cookie.write({ ...SESSION, token: 'x'.repeat(4096) }, true)).toThrow('too long');
  });
});
