import { beforeAll, describe, expect, it } from '@jest/globals';
import { DATABASE_ROLES } from '@zonewright/database';
import {
  addNameservers,
  addZone,
  exchangeTcp,
  exchangeUdp,
  useTestDatabase,
} from '@zonewright/testkit';
import { decodeMessage } from '../conformance/support/message.js';
import { buildQuery } from '../conformance/support/query.js';
import { startLoadedNameserver } from './support/running-nameserver.js';

const LONG_TEXT = 'v=DKIM1; p='.padEnd(600, 'MIIBIjANBgkq');
const ADDRESS_FORMS = [
  '2001:db8::c000:201',
  '2001:DB8:0:0:0:0:C000:201',
  '2001:0db8:0000:0000:0000:0000:c000:0201',
  '2001:db8::192.0.2.1',
];
const database = useTestDatabase();

beforeAll(async () => {
  await addNameservers(database.db);
  await addZone(database.db, 'data.example.', [
    { name: 'long.data.example.', type: 'TXT', data: LONG_TEXT },
    ...ADDRESS_FORMS.map((data, i) => ({ name: `h${i}.data.example.`, type: 'AAAA', data })),
  ]);
});

describe.each([
  ['UDP', exchangeUdp],
  ['TCP', exchangeTcp],
])('data as the DNS API stores it, over %s', (_, exchange) => {
  const ask = async (question: string) => {
    const server = await startLoadedNameserver({
      DATABASE_URL: database.urlAs(DATABASE_ROLES.nameserver),
    });
    return decodeMessage(await exchange(server, buildQuery({ question, edns: {} }))).answers;
  };

  it('RFC 1035 s3.3.14, RFC 7208 s3.3: a long text is sent in strings of 255 octets, in order', async () => {
    const strings = [0, 255, 510].map((start) => `"${LONG_TEXT.slice(start, start + 255)}"`);
    expect(await ask('long.data.example. TXT')).toEqual([
      `long.data.example. 3600 IN TXT ${strings.join(' ')}`,
    ]);
  });

  it.each(ADDRESS_FORMS.map((form, i) => [form, i]))(
    'RFC 3596 s2.2: %s has the same sixteen octets',
    async (_form, i) => {
      expect(await ask(`h${i}.data.example. AAAA`)).toEqual([
        `h${i}.data.example. 3600 IN AAAA 2001:db8::c000:201`,
      ]);
    },
  );
});
