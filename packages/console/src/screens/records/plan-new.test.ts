import { describe, expect, it } from '@jest/globals';

// The console's language is determined when its modules are loaded.
const LANGUAGE = {
  navigator: { value: { language: 'en' }, configurable: true },
  localStorage: { value: { getItem: () => null }, configurable: true },
};
const before = Object.getOwnPropertyDescriptors(globalThis) as PropertyDescriptorMap;
Object.defineProperties(globalThis, LANGUAGE);
const { mailOf, planNew, serversOf, serverWithoutAddress } = await import('./plan-new.js');
const { changedContent, EMPTY_VALUES, toContent, toValues } = await import('./record-text.js');
for (const name of Object.keys(LANGUAGE)) {
  Reflect.deleteProperty(globalThis, name);
  if (before[name] !== undefined) Object.defineProperty(globalThis, name, before[name]);
}

type Known = Parameters<typeof planNew>[2];
type Values = Parameters<typeof planNew>[0];

const domain = { id: 'zone-id', name: 'example.com.' } as Parameters<typeof planNew>[1];
const usual = { ttl: null, priority: null, description: null, disabled: false };
const known = (members: object): Known[number] =>
  ({ id: 'old', name: domain.name, type: 'MX', ...usual, ...members }) as Known[number];
const draft = (members: Partial<Values>): Values => ({ ...EMPTY_VALUES, ...members });
const mail = (members: Partial<Values> = {}) =>
  draft({ type: 'MX', data: 'mail', priority: '10', ...members });

/** Shows the plan as `- before` and `+ after`. */
function plan(values: Values, records: Known = []): string[] {
  return planNew(values, domain, records).map(({ before: old, after }) => {
    const { name, type, priority, data } = after ?? old!;
    return `${after === undefined ? '-' : '+'} ${name} ${type} ${priority ?? ''} ${data}`;
  });
}

const SERVER = '+ example.com. MX 10 mail.example.com.';

describe('A domain that is shown with capital letters', () => {
  it('has its records under names in lower case', () => {
    const shown = { ...domain, name: 'Example.COM.' };
    const values = mail();
    expect(toContent(values, shown)).toMatchObject({
      name: 'example.com.',
      data: 'mail.example.com.',
    });
    expect(toValues(known({ name: 'www.example.com.', data: 'x' }), shown.name).name).toBe('www');
    expect(serverWithoutAddress(values, shown, [])).toBe('mail.example.com.');
  });
});

describe('planNew', () => {
  it('plans one record with completed values', () => {
    const values = draft({ name: 'WWW', data: ' 192.0.2.1 ', ttl: '60', tags: 'a, b' });
    expect(planNew(values, domain, [])).toEqual([
      {
        before: undefined,
        after: {
          ...{ name: 'www.example.com.', type: 'A', data: '192.0.2.1', priority: null, ttl: 60 },
          ...{ description: null, disabled: false, expires_at: null, tags: ['a', 'b'] },
        },
      },
    ]);
  });

  it('does not require a mail server for other types', () => {
    const values = draft({ data: '192.0.2.1', replaces: 'yes', address: '192.0.2.9' });
    const old = known({ data: 'old.example.net.', priority: 10 });
    expect(plan(values, [old])).toEqual(['+ example.com. A  192.0.2.1']);
  });

  it.each([
    ['192.0.2.9', 'A'],
    ['2001:db8::9', 'AAAA'],
  ])("gives the domain's own mail server its address: %s", (address, type) => {
    const second = `+ mail.example.com. ${type}  ${address}`;
    expect(plan(mail({ address }))).toEqual([SERVER, second]);
    const there = known({ name: 'mail.example.com.', type, data: address });
    expect(plan(mail({ address }), [there])).toEqual([SERVER]);
    expect(plan(mail({ address, data: 'mail.example.net.' }))).toEqual([
      '+ example.com. MX 10 mail.example.net.',
    ]);
  });

  it('writes all servers of a provider without addresses', () => {
    expect(plan(mail({ provider: 'fastmail', address: '192.0.2.9' }))).toEqual([
      '+ example.com. MX 10 in1-smtp.messagingengine.com.',
      '+ example.com. MX 20 in2-smtp.messagingengine.com.',
    ]);
    expect(plan(mail({ provider: 'none' }))).toEqual(['+ example.com. MX 0 .']);
  });

  it('replaces existing records except those that stay', () => {
    const records = [
      known({ data: 'old.example.net.', priority: 10 }),
      known({ data: 'in1-smtp.messagingengine.com.', priority: 10 }),
      known({ data: 'in2-smtp.messagingengine.com.', priority: 5 }),
      known({ name: 'sub.example.com.', data: 'old.example.net.', priority: 10 }),
      known({ type: 'TXT', data: 'old.example.net.' }),
    ];
    expect(plan(mail({ provider: 'fastmail', replaces: 'yes' }), records)).toEqual([
      '- example.com. MX 10 old.example.net.',
      '- example.com. MX 5 in2-smtp.messagingengine.com.',
      '+ example.com. MX 20 in2-smtp.messagingengine.com.',
    ]);
    expect(plan(mail({ provider: 'fastmail' }), records)).toHaveLength(2);
  });

  it('sends an existing record, so that the service reports it', () => {
    const there = known({ data: 'mail.example.com.', priority: 10 });
    expect(plan(mail({ replaces: 'yes' }), [there])).toEqual([SERVER]);
  });
});

describe('what a plan looks at', () => {
  it('mailOf returns only the MX records of the name', () => {
    const records = [
      known({ id: 'apex' }),
      known({ id: 'sub', name: 'sub.example.com.' }),
      known({ id: 'a', type: 'A' }),
    ];
    const ids = (name: string) => mailOf(mail({ name }), domain, records).map(({ id }) => id);
    expect([ids('@'), ids('sub'), ids('none')]).toEqual([['apex'], ['sub'], []]);
  });

  it.each([
    ['no server yet', '', undefined],
    ['one of the domain', 'mail', 'mail.example.com.'],
    ['the domain itself', '@', 'example.com.'],
    ['one elsewhere', 'mail.example.net', undefined],
    ['one whose name ends alike', 'mail.an-example.com.', undefined],
  ])('serverWithoutAddress: %s', (_, data, expected) => {
    expect(serverWithoutAddress(mail({ data }), domain, [])).toBe(expected);
  });

  it.each(['A', 'AAAA', 'CNAME'])('serverWithoutAddress: returns nothing for %s', (type) => {
    const there = known({ name: 'mail.example.com.', type });
    expect(serverWithoutAddress(mail(), domain, [there])).toBeUndefined();
    const text = known({ name: 'mail.example.com.', type: 'TXT' });
    expect(serverWithoutAddress(mail(), domain, [text])).toBe('mail.example.com.');
  });

  it('serversOf ignores servers that are entered by hand', () => {
    expect(serversOf('')).toBeUndefined();
    expect(serversOf('google')).toEqual([[1, 'smtp.google.com.']]);
  });
});

describe('the text of records', () => {
  it.each([
    ['MX', 'mail', 'mail.example.com.'],
    ['CNAME', 'mail.example.net', 'mail.example.net.'],
    ['NS', '@', 'example.com.'],
    ['PTR', '.', '.'],
    ['SRV', '5 443 mail', '5 443 mail.example.com.'],
    ['TXT', 'mail', 'mail'],
  ])('completes a target: %s %s', (type, data, expected) => {
    expect(toContent(draft({ type, data }), domain).data).toBe(expected);
  });

  it.each([
    ['', 'example.com.'],
    ['@', 'example.com.'],
    ['www', 'www.example.com.'],
    ['www.example.com', 'www.example.com.'],
    ['example.com', 'example.com.'],
    ['www.example.net.', 'www.example.net.'],
    ['www.example.net', 'www.example.net.example.com.'],
  ])('completes a name: %s', (name, expected) => {
    expect(toContent(draft({ name }), domain).name).toBe(expected);
  });

  it('restores the values that were read, with all digits of the expiry time', () => {
    const row = {
      ...{ name: 'www.example.com.', type: 'MX', data: 'mail.example.com.', priority: 0, ttl: 60 },
      ...{ description: 'a note', disabled: true, tags: ['a', 'b'] },
      expires_at: '2030-01-31T12:00:00.123456',
    };
    const record = known(row);
    const values = toValues(record, domain.name);
    expect(values).toMatchObject({ name: 'www', priority: '0', ttl: '60', disabled: 'yes' });
    expect(changedContent(record, values, domain)).toEqual(row);
    const later = { ...values, expires: '2031-01-31T12:00:00' };
    expect(changedContent(record, later, domain).expires_at).toBe(
      new Date('2031-01-31T12:00:00').toISOString(),
    );
    expect(changedContent(record, { ...values, expires: '' }, domain).expires_at).toBeNull();
    expect(changedContent(record, { ...values, expires: 'soon' }, domain).expires_at).toBe('soon');
  });
});
