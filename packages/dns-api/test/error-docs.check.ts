import { describe, expect, it } from '@jest/globals';
import { RCODE, TSIG_ERROR } from '@zonewright/dns-records';
import { type ErrorKind, invalidRequest, ServiceError } from '@zonewright/service-kit';
import { readCodeBlocks, readItems } from '@zonewright/testkit';
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

/** Codes of errors that occur before a request exists. The text describes them on separate lines. */
const NO_REQUEST = ['not-http', 'too-slow', 'header-too-large'];
const REFUSAL_CODES = Object.keys(REFUSALS) as RefusalCode[];

const GUIDE = readFileSync(new URL('../../../docs/reference/errors.md', import.meta.url), 'utf8');
const [, SECTION = '', DNS_SECTION = ''] = GUIDE.split(/\n## DNS(?: API)?\n/);

describe('docs/reference/errors.md has every error of the DNS API', () => {
  it('lists each kind with its possible types', () => {
    const items = KINDS.map((kind) => {
      const plain = answerOf(kind, undefined);
      const special = Object.entries(SUBJECTS)
        .map(([subject, about]) => ({
          about,
          ...answerOf(kind, subject as keyof typeof SUBJECTS),
        }))
        .filter(({ type }) => type !== plain.type);
      expect(special.filter(({ status }) => status !== plain.status)).toEqual([]);
      const types = special.map(({ about, type }) => `; ${about}: ${type}`);
      return `${kind}: ${plain.status} ${plain.type}${types.join('')}`;
    });
    const documented = readItems(SECTION).filter((item) => /^[a-z-]+: \d{3} /.test(item));
    expect(documented).toEqual(items);
  });

  it('lists each HTTP error', () => {
    const refusals = REFUSAL_CODES.filter(
      (code) => REFUSALS[code] > 404 && !NO_REQUEST.includes(code),
    );
    expect(SECTION).toContain(`before any operation: ${answersOf(refusals).join(', ')}.`);
  });

  it('lists each error of data that never becomes a request', () => {
    const refusals = REFUSAL_CODES.filter((code) => NO_REQUEST.includes(code));
    const items = readItems(SECTION).filter((item) => /^\d{3} /.test(item));
    expect(items.map((item) => item.split(': ')[0])).toEqual(answersOf(refusals));
  });

  it('lists each error of a body that is not JSON as an error of the JSON text', () => {
    const bodies = REFUSAL_CODES.filter(
      (code) => REFUSALS[code] === 400 && !['not-http', 'path-not-encoded'].includes(code),
    );
    expect(answersOf(bodies)).toEqual([`400 ${answerOf('invalid', 'json').type}`]);
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
      const [updates = ''] = DNS_SECTION.split('### Transfers to here');
      const answers = readItems(updates).flatMap((item) => (item.split(': ')[0] ?? '').split(', '));
      expect(answers).toContain(name);
    },
  );
});

function answerOf(kind: ErrorKind, subject: keyof typeof SUBJECTS | undefined) {
  const error = new ServiceError(kind, '', { details: { subject } });
  const { status, body } = toErrorAnswer(error, 'req-1');
  return { status, type: `\`${body.type}\`` };
}

function typeInV2(kind: ErrorKind, subject: string | undefined): [string, string] {
  const { status, body } = toV2ErrorReply(
    new ServiceError(kind, '', { details: { subject } }),
    'r',
  );
  return [String(status), `\`${(JSON.parse(body as string) as { type: string }).type}\``];
}

/** Returns status and type of each refusal, each pair once. */
function answersOf(codes: readonly RefusalCode[]): string[] {
  const answers = codes.map((code) => {
    const { status, body } = toErrorAnswer(new Refusal(code), 'req-1');
    return `${status} \`${body.type}\``;
  });
  return [...new Set(answers)].toSorted();
}
