import type { Call } from './http-client.mjs';

const MEBIBYTE = 1_048_576;

/** Preparations of a hostile tenant: its own domain with long records and a long history. */
export interface Prey {
  readonly token: string;
  readonly zoneId: string;
  readonly zoneName: string;
  readonly recordId: string;
  readonly firstSerial: number;
  /** Another domain with a record, which no attack deletes. */
  readonly kept: { readonly zoneId: string; readonly recordId: string };
}

type Attack = (prey: Prey) => Call;

/** Text that fills a body: TXT data with each octet written with four characters. */
export const LONG_TEXT = `"${'\\065'.repeat(45_000)}"`;

const importOf =
  (text: string, query = ''): Attack =>
  ({ token, zoneId }) => ({
    method: 'POST',
    path: `/v1/domains/${zoneId}/import${query}`,
    token,
    type: 'text/dns',
    body: text,
  });

const batchOf =
  (operations: (prey: Prey) => unknown, query = ''): Attack =>
  (prey) => ({
    method: 'POST',
    path: `/v1/domains/${prey.zoneId}/batch${query}`,
    token: prey.token,
    body: JSON.stringify({ operations: operations(prey), atomic: false }),
  });

const create =
  (record: (prey: Prey) => object): Attack =>
  (prey) => ({
    method: 'POST',
    path: `/v1/domains/${prey.zoneId}/records`,
    token: prey.token,
    body: JSON.stringify(record(prey)),
  });

const get =
  (rest: string): Attack =>
  ({ token, zoneId }) => ({ path: `/v1/domains/${zoneId}${rest}`, token });

const items = <T>(count: number, item: (at: number) => T) =>
  Array.from({ length: count }, (_, at) => item(at));
const lines = (count: number, line: (at: number) => string) => items(count, line).join('');
const DEEP_NAME = items(120, (at) => String.fromCharCode(97 + (at % 26))).join('.');

const recordsetOf = ({ token, zoneId, zoneName }: Prey, type: string, records: string[]): Call => ({
  method: 'POST',
  path: `/v2/zones/${zoneId}/recordsets`,
  token,
  body: JSON.stringify({ name: `many.${zoneName}`, type, records }),
});

/** Requests that once stopped or stalled the service, or similar ones, for all operations with a body or a list. */
export const ATTACKS: Readonly<Record<string, Attack>> = {
  'a dry run of 150,000 addresses': importOf(
    lines(150_000, (at) => `h${at} A 192.0.2.1\n`),
    '?dry_run=true',
  ),
  'a file of lines that are none': importOf('x\n'.repeat(2 * MEBIBYTE)),
  'a file of lines of no type': importOf('x y\n'.repeat(MEBIBYTE)),
  'a line of backslashes': importOf(`a TXT ${'\\'.repeat(4 * MEBIBYTE)}\n`),
  'lines of escapes': importOf(`a TXT "${'\\065'.repeat(60_000)}"\n`.repeat(16), '?dry_run=true'),
  'a file of empty lines': importOf('\n'.repeat(6 * MEBIBYTE)),
  'a file of directives': importOf('$TTL 1\n'.repeat(MEBIBYTE)),
  'a file of open parentheses': importOf('(\n'.repeat(3 * MEBIBYTE)),
  'a line of words': importOf(`a TXT ${'x '.repeat(3 * MEBIBYTE)}`),
  'a new domain from a long file': ({ token, zoneName }) => ({
    method: 'POST',
    path: `/v1/domains/import?dry_run=true&name=new-${zoneName}&email=a@example.com`,
    token,
    type: 'text/dns',
    body: lines(150_000, (at) => `h${at} A 192.0.2.1\n`),
  }),
  'a file in JSON': ({ token, zoneId }) => ({
    method: 'POST',
    path: `/v1/domains/${zoneId}/import`,
    token,
    body: JSON.stringify({ zonefile: '\n'.repeat(MEBIBYTE - 100) }),
  }),
  'deep names': importOf(
    lines(1_400, (at) => `${DEEP_NAME}.${at} A 192.0.2.1\n`),
    '?dry_run=true',
  ),
  'deep mail targets': importOf(
    lines(1_400, (at) => `m${at} MX 1 ${DEEP_NAME}.${at}\n`),
    '?dry_run=true',
  ),
  'a full replacement': importOf(
    lines(400, (at) => `r${at} TXT "${'\\065'.repeat(2_000)}"\n`),
    '?mode=replace&confirm=true',
  ),
  'a batch of the most': batchOf(
    ({ zoneName }) =>
      items(1_000, (at) => ({
        action: 'create',
        record: { name: `b${at}.${zoneName}`, type: 'TXT', data: 'x'.repeat(1_900) },
      })),
    '?dry_run=true',
  ),
  'a batch of unknown members': batchOf(() =>
    items(1_000, () => ({
      action: 'create',
      ...Object.fromEntries(items(45, (at) => [`member-${at}`, at])),
    })),
  ),
  'a batch of updates of long records': batchOf(
    ({ recordId }) => [{ action: 'update', id: recordId, record: { ttl: 77 } }],
    '?dry_run=true',
  ),
  'a batch of empty arrays': (prey) => ({
    method: 'POST',
    path: `/v1/domains/${prey.zoneId}/batch`,
    token: prey.token,
    body: `[${'[],'.repeat(690_000)}[]]`,
  }),
  'a target of very many labels': create(({ zoneName }) => ({
    name: zoneName,
    type: 'MX',
    priority: 1,
    data: 'a.'.repeat(120_000),
  })),
  'a name of letters that need converting': create(({ zoneName }) => ({
    name: `${'ü'.repeat(120_000)}.${zoneName}`,
    type: 'A',
    data: '192.0.2.1',
  })),
  'a body of unknown members': create(() =>
    Object.fromEntries(items(20_000, (at) => [`m${at}`, 1])),
  ),
  'a change of a long record': ({ token, kept }) => ({
    method: 'PUT',
    path: `/v1/domains/${kept.zoneId}/records/${kept.recordId}`,
    token,
    body: JSON.stringify({ data: LONG_TEXT, ttl: Math.floor(Math.random() * 1e6) }),
  }),
  'a domain of a long name': ({ token }) => ({
    method: 'POST',
    path: '/v1/domains',
    token,
    body: JSON.stringify({ name: 'a.'.repeat(120_000), email: `${'a'.repeat(5_000)}@b.c` }),
  }),
  'the longest page of changes': get('/changes?limit=1000'),
  'the whole list of records': get('/records'),
  'the longest page of records': get('/records?limit=1000'),
  'records by data': get(`/records?data=${'x'.repeat(5_000)}`),
  'the zone file': get('/zonefile'),
  'a check': get('/check'),
  'all domains': ({ token }) => ({ path: '/v1/domains', token }),
  'a recordset of very many records': (prey) =>
    recordsetOf(
      prey,
      'A',
      items(990, (at) => `10.0.${at >> 8}.${at & 255}.1`),
    ),
  'a recordset of very many mail targets': (prey) =>
    recordsetOf(
      prey,
      'MX',
      items(990, (at) => `1 m${at}.test.`),
    ),
  'a recordset of long texts': (prey) =>
    recordsetOf(
      prey,
      'TXT',
      items(90, (at) => `"${'\\065'.repeat(600)}${at}"`),
    ),
  'all recordsets': ({ token }) => ({
    path: '/v2/recordsets?limit=1000&data=*a*b*c*d*e*f*',
    token,
  }),
  'recordsets of a zone': ({ token, zoneId }) => ({
    path: `/v2/zones/${zoneId}/recordsets?limit=1000`,
    token,
  }),
  'a zone file as an import': ({ token, zoneName }) => ({
    method: 'POST',
    path: '/v2/zones/tasks/imports?dry_run=true',
    token,
    type: 'text/dns',
    body:
      `$ORIGIN new-${zoneName}\n@ SOA ns1.example. a.example. 1 2 3 4 5\n` +
      lines(45_000, (at) => `h${at} A 192.0.2.1\n`),
  }),
  'a restore': ({ token, zoneId, firstSerial }) => ({
    method: 'POST',
    path: `/v1/domains/${zoneId}/restore`,
    token,
    body: JSON.stringify({ serial: firstSerial, confirm: true }),
  }),
};
