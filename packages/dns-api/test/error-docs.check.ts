import { describe, expect, it } from '@jest/globals';
import { RCODE, TSIG_ERROR } from '@zonewright/dns-records';
import { type ErrorKind, invalidRequest, ServiceError } from '@zonewright/service-kit';
import { readCodeBlocks, readTables } from '@zonewright/testkit';
import { Refusal, type RefusalCode, REFUSALS } from '@zonewright/http-api';
import { FAULT_REASONS } from '@zonewright/zones';
import { readFileSync } from 'node:fs';
import { type ErrorDetails, toErrorAnswer } from '../src/settings/errors.js';
import { toV2ErrorReply, TYPES_BY_SUBJECT } from '../src/v2/http/error-reply.js';

// The compiler requires a line here when a kind or a subject is added.
const KINDS = Object.keys({
  invalid: true,
  unauthenticated: true,
  forbidden: true,
  'not-found': true,
  conflict: true,
  'precondition-failed': true,
  'over-quota': true,
  'rate-limited': true,
  unavailable: true,
} satisfies Record<ErrorKind, true>) as ErrorKind[];

const SUBJECTS = {
  json: 'the JSON text',
  'zone-name': "a domain's name",
  'record-location': 'where a record stands',
  zone: 'a domain',
  record: 'a record',
  peer: 'a peer',
} satisfies Record<NonNullable<ErrorDetails['subject']>, string>;

/** Codes of errors before a request exists; the text describes them in separate lines. */
const NO_REQUEST = ['not-http', 'too-slow', 'header-too-large'];
const REFUSAL_CODES = Object.keys(REFUSALS) as RefusalCode[];

const GUIDE = readFileSync(new URL('../../../docs/reference/errors.md', import.meta.url), 'utf8');
const [, SECTION = '', DNS_SECTION = ''] = GUIDE.split(/\n## DNS(?: API)?\n/);

describe('docs/reference/errors.md has every error of the DNS API', () => {
  it('lists each kind with its possible types', () => {
    const rows = KINDS.flatMap((kind) => {
      const plain = rowOf(kind, undefined);
      const special = Object.keys(SUBJECTS)
        .map((subject) => rowOf(kind, subject as keyof typeof SUBJECTS))
        .filter((row) => row[3] !== plain[3]);
      return [plain, ...special];
    });
    expect(readTables(SECTION)[0]).toEqual(rows);
  });

  it('lists each HTTP error', () => {
    const refusals = REFUSAL_CODES.filter(
      (code) => REFUSALS[code] > 404 && !NO_REQUEST.includes(code),
    );
    expect(readTables(SECTION)[1]).toEqual(cellsOf(refusals));
  });

  it('lists each error of data that never becomes a request', () => {
    const refusals = REFUSAL_CODES.filter((code) => NO_REQUEST.includes(code));
    expect(readTables(SECTION)[2]?.map((row) => row.slice(0, 2))).toEqual(cellsOf(refusals));
  });

  it('lists each error of a body that is not JSON as an error of the JSON text', () => {
    const bodies = REFUSAL_CODES.filter(
      (code) => REFUSALS[code] === 400 && !['not-http', 'path-not-encoded'].includes(code),
    );
    expect(cellsOf(bodies)).toEqual([['400', rowOf('invalid', 'json')[3]]]);
  });

  it('lists a path that is not percent-encoded, with its fault', () => {
    const path = toErrorAnswer(new Refusal('path-not-encoded'), 'req-1');
    expect(SECTION).toContain(`percent-encoded is ${path.status}, type \`${path.body.type}\``);
    const fault = toErrorAnswer(new Error('cause'), 'req-1');
    expect(SECTION).toContain(`a fault: ${fault.status}, type \`${fault.body.type}\``);
  });

  it('lists each additional type of v2', () => {
    const subjects = Object.entries(TYPES_BY_SUBJECT).flatMap(([kind, types]) =>
      Object.keys(types).map((subject) => [kind, subject] as const),
    );
    // Only v1 has peers.
    const shared = Object.keys(SUBJECTS)
      .filter((subject) => subject !== 'peer')
      .flatMap((subject) => KINDS.map((kind) => [kind, subject] as const));
    const plain = new Set(KINDS.map((kind) => typeInV2(kind, undefined).join()));
    const rows = [...subjects, ...shared]
      .map(([kind, subject]) => typeInV2(kind as ErrorKind, subject))
      .filter((row) => !plain.has(row.join()) && row[1] !== '`invalid_json`');
    const said = [
      // The operations themselves cause these errors.
      ['400', '`bad_request`'],
      ['400', '`invalid_limit`'],
      ['400', '`invalid_marker`'],
      ['400', '`invalid_sort_dir`'],
      ['400', '`invalid_sort_key`'],
      ['400', '`invalid_uuid`'],
      ['400', '`marker_not_found`'],
      ['404', '`pool_not_found`'],
      ['404', '`service_status_not_found`'],
    ];
    const expected = [...new Set([...rows, ...said].map((row) => row.join(' ')))].toSorted();
    const listed = [...SECTION.matchAll(/^- (\d{3}): (.+)$/gm)].flatMap(([, status, types = '']) =>
      types.split(', ').map((type) => `${status} ${type}`),
    );
    expect(listed.toSorted()).toEqual(expected);
  });

  it('the body', () => {
    const [documented = ''] = readCodeBlocks(SECTION, 'json');
    const example = JSON.parse(documented) as ReturnType<typeof toErrorAnswer>['body'];
    const { body } = toErrorAnswer(invalidRequest(example.errors), example.request_id);
    expect(body).toEqual(example);
  });
});

describe('docs/reference/errors.md has every reason why a zone is not taken from its primaries', () => {
  it('lists each with a remedy', () => {
    const lines = (DNS_SECTION.split('### Transfers to here')[1] ?? '').matchAll(
      /^- `([^`]+)`: `/gm,
    );
    expect([...lines].map(([, code]) => code).toSorted()).toEqual(FAULT_REASONS.toSorted());
  });
});

describe('docs/reference/errors.md has every error of dynamic updates', () => {
  it.each(Object.keys({ ...RCODE, ...TSIG_ERROR }).filter((name) => name !== 'NOERROR'))(
    '%s',
    (name) => {
      const answers = readTables(DNS_SECTION)
        .slice(0, 2)
        .flatMap((rows) => rows.flatMap(([answer = '']) => answer.split(', ')));
      expect(answers).toContain(name);
    },
  );
});

function rowOf(kind: ErrorKind, subject: keyof typeof SUBJECTS | undefined): string[] {
  const error = new ServiceError(kind, '', { details: { subject } });
  const { status, body } = toErrorAnswer(error, 'req-1');
  const about = subject === undefined ? '' : SUBJECTS[subject];
  return [kind, about, String(status), `\`${body.type}\``];
}

function typeInV2(kind: ErrorKind, subject: string | undefined): [string, string] {
  const { status, body } = toV2ErrorReply(
    new ServiceError(kind, '', { details: { subject } }),
    'r',
  );
  return [String(status), `\`${(JSON.parse(body as string) as { type: string }).type}\``];
}

/** Returns status and type as table cells, each pair once. */
function cellsOf(codes: readonly RefusalCode[]): string[][] {
  const rows = codes.map((code) => {
    const { status, body } = toErrorAnswer(new Refusal(code), 'req-1');
    return `${status} \`${body.type}\``;
  });
  return [...new Set(rows)].toSorted().map((row) => row.split(' '));
}
