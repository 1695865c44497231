import { describe, expect, it } from '@jest/globals';

import { ServerCookies } from './server-cookies.js';

interface Vector {
  readonly title: string;
  readonly secret: string;
  readonly client: string;
  readonly address: string;
  readonly seconds: number;
  readonly cookie: string;
}

/** The test vectors of RFC 9018, appendix A: client cookie, address and time, and the resulting server cookie. */
const VECTORS: readonly Vector[] = [
  {
    title: 'A.1: learning a new server cookie',
    secret: 'e5e973e5a6b2a43f48e7dc849e37bfcf',
    client: '2464c4abcf10c957',
    address: '00000000000000000000ffffc6336464',
    seconds: 1_559_731_985,
    cookie: '010000005cf79f111f8130c3eee29480',
  },
  {
    title: 'A.2: renewing it after a while',
    secret: 'e5e973e5a6b2a43f48e7dc849e37bfcf',
    client: '2464c4abcf10c957',
    address: '00000000000000000000ffffc6336464',
    seconds: 1_559_734_385,
    cookie: '010000005cf7a871d4a564a1442aca77',
  },
  {
    title: 'A.3: another client',
    secret: 'e5e973e5a6b2a43f48e7dc849e37bfcf',
    client: 'fc93fc62807ddb86',
    address: '00000000000000000000ffffcb0071cb',
    seconds: 1_559_734_700,
    cookie: '010000005cf7a9acf73a7810aca2381e',
  },
  {
    title: 'A.4: IPv6, after the secret was changed',
    secret: '445536bcd2513298075a5d379663c962',
    client: '22681ab97d52c298',
    address: '20010db80220000159ded0f4876982b8',
    seconds: 1_559_741_961,
    cookie: '010000005cf7c609a6bb79d16625507a',
  },
];

function newCookie({ secret, client, address, seconds }: Vector): string {
  const cookies = new ServerCookies([Buffer.from(secret, 'hex')]);
  cookies.setClient(Buffer.from(client, 'hex'), 0, Buffer.from(address, 'hex'));
  const output = Buffer.alloc(16);
  cookies.write(output, 0, seconds);
  return output.toString('hex');
}

describe('RFC 9018: server cookies', () => {
  it.each(VECTORS)('appendix $title', (vector) => {
    expect(newCookie(vector)).toBe(vector.cookie);
  });

  const [vector] = VECTORS;
  if (vector === undefined) throw new Error('There is a vector.');
  const cookie = Buffer.from(vector.cookie, 'hex');
  const client = Buffer.from(vector.client, 'hex');
  const address = Buffer.from(vector.address, 'hex');
  const isValid = (
    secrets: string[],
    from: Uint8Array,
    by: Uint8Array,
    seconds: number,
  ): boolean => {
    const cookies = new ServerCookies(secrets.map((secret) => Buffer.from(secret, 'hex')));
    cookies.setClient(by, 0, from);
    return cookies.isValid(cookie, 0, seconds);
  };

  it.each([
    ['s4.3: as soon as it is made', 0, true],
    ['s4.3: for an hour', 3600, true],
    ['s4.3: no longer', 3601, false],
    ['s4.3: by a server whose clock is five minutes behind', -300, true],
    ['s4.3: but not by more', -301, false],
  ])('%s it is valid', (_, laterSeconds, expected) => {
    const now = vector.seconds + laterSeconds;
    expect(isValid([vector.secret], address, client, now)).toBe(expected);
  });

  it('s4.4: is bound to the address, the client cookie and the secret', () => {
    const otherAddress = Buffer.from('00000000000000000000ffffc6336465', 'hex');
    const otherClient = Buffer.from('2464c4abcf10c958', 'hex');
    const now = vector.seconds;
    expect(isValid([vector.secret], otherAddress, client, now)).toBe(false);
    expect(isValid([vector.secret], address, otherClient, now)).toBe(false);
    expect(isValid(['445536bcd2513298075a5d379663c962'], address, client, now)).toBe(false);
  });

  it('appendix A.3: the reserved octets may be set, and are hashed as they are', () => {
    const cookies = new ServerCookies([Buffer.from(vector.secret, 'hex')]);
    const query = Buffer.from('fc93fc62807ddb8601abcdef5cf78f71a314227b6679ebf5', 'hex');
    cookies.setClient(query, 0, Buffer.from('00000000000000000000ffffcb0071cb', 'hex'));
    expect(cookies.isValid(query, 8, 1_559_728_000)).toBe(true);
  });

  it('s4.1: another version is invalid', () => {
    const other = Buffer.from(vector.cookie.replace('01', '02'), 'hex');
    const cookies = new ServerCookies([Buffer.from(vector.secret, 'hex')]);
    cookies.setClient(client, 0, address);
    expect(cookies.isValid(other, 0, vector.seconds)).toBe(false);
  });

  it('s5: during a change of the secret, cookies made with the earlier one remain valid', () => {
    const secrets = ['445536bcd2513298075a5d379663c962', vector.secret];
    expect(isValid(secrets, address, client, vector.seconds)).toBe(true);
  });
});
