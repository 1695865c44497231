import { describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { type ErrorKind, ServiceError } from '@zonewright/service-kit';
import { type ErrorDetails, toErrorAnswer } from '../../dns-api/src/errors.js';
import { invalidRequest } from '../../dns-api/src/problem.js';
import { toFault } from '../../identity-service/src/errors.js';
import { HttpError, type HttpErrorStatus } from '../../identity-service/src/http/http-error.js';
import { representFault } from '../../identity-service/src/render-fault.js';

// The compiler asks for a line here when a kind, a status or a subject is added.
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

const HTTP_STATUSES = Object.keys({
  404: true,
  405: true,
  406: true,
  408: true,
  413: true,
  415: true,
  431: true,
} satisfies Record<HttpErrorStatus, true>).map(Number) as HttpErrorStatus[];

const SUBJECTS = {
  json: 'the JSON text',
  'zone-name': "a domain's name",
  'record-location': 'where a record stands',
  zone: 'a domain',
  record: 'a record',
} satisfies Record<NonNullable<ErrorDetails['subject']>, string>;

const ABSENT_FROM_IDENTITY = ['precondition-failed', 'over-quota'];
const GUIDE = readFileSync(new URL('../../../docs/errors.md', import.meta.url), 'utf8');
const [IDENTITY = '', DNS = ''] = GUIDE.split('\n## DNS API\n');

describe('style 2.6: docs/errors.md has every error of the identity API', () => {
  it('each kind', () => {
    const rows = KINDS.filter((kind) => !ABSENT_FROM_IDENTITY.includes(kind)).map((kind) => {
      const details =
        kind === 'rate-limited' ? { window: 'SECOND', retryAfterSeconds: 1 } : undefined;
      const fault = toFault(new ServiceError(kind, '', { details }), 'PATH');
      const headers = Object.keys(fault.headers).map((name) => `\`${name}\``);
      return {
        form: [kind, String(fault.status), `\`${fault.root}\``, fault.message],
        details: fault.details,
        headers: headers.join(', '),
      };
    });
    const documented = tables(IDENTITY)[0] ?? [];
    expect(documented.map((row) => row.slice(0, 4))).toEqual(rows.map(({ form }) => form));
    expect(documented.map((row) => row[5])).toEqual(rows.map(({ headers }) => headers));
    rows.forEach(({ details }, index) => {
      if (details !== undefined) expect(documented[index]?.[4]).toBe(details);
    });
  });

  it.each(ABSENT_FROM_IDENTITY as ErrorKind[])('%s would be a fault', (kind) => {
    expect(toFault(new ServiceError(kind, ''), 'PATH').status).toBe(500);
    expect(IDENTITY).toContain(`\`${kind}\``);
  });

  it('each refusal of HTTP, and the fault', () => {
    const rows = HTTP_STATUSES.map((status) => {
      const fault = toFault(new HttpError(status, ''), 'PATH');
      return [String(fault.status), `\`${fault.root}\``, fault.message];
    });
    expect(tables(IDENTITY)[1]).toEqual(rows);
    const fault = toFault(new Error('cause'), 'PATH');
    expect(IDENTITY).toContain(
      `${fault.status}, root \`${fault.root}\`, message \`${fault.message}\``,
    );
  });

  it('each form of a body', () => {
    const notFound = toFault(
      new ServiceError('not-found', '', { details: 'what was not found' }),
      '',
    );
    const refused = toFault(new ServiceError('unauthenticated', ''), '');
    const json = codeBlocks(IDENTITY, 'json').map((text) => JSON.parse(text) as unknown);
    expect(json).toEqual(
      [
        representFault(notFound, '/v2.0/tokens'),
        representFault(refused, '/v2.0/tokens'),
        representFault(notFound, '/v3/auth/tokens'),
      ].map((body) => JSON.parse(body.toJson()) as unknown),
    );
    expect(codeBlocks(IDENTITY, 'xml')).toEqual([representFault(notFound, '/v2.0/tokens').toXml()]);
  });
});

describe('style 2.6: docs/errors.md has every error of the DNS API', () => {
  it('each kind, with each type that it can have', () => {
    const rows = KINDS.flatMap((kind) => {
      const plain = dnsRow(kind, undefined);
      const special = Object.keys(SUBJECTS)
        .map((subject) => dnsRow(kind, subject as keyof typeof SUBJECTS))
        .filter((row) => row[3] !== plain[3]);
      return [plain, ...special];
    });
    expect(tables(DNS)[0]).toEqual(rows);
  });

  it('each refusal of HTTP, and the fault', () => {
    expect(tables(DNS)[1]).toEqual(httpRefusals());
    const { status, body } = toErrorAnswer(new Error('cause'), 'req-1');
    expect(DNS).toContain(`${status}, type \`${body.type}\``);
  });

  it('the body', () => {
    const [documented = ''] = codeBlocks(DNS, 'json');
    const example = JSON.parse(documented) as ReturnType<typeof toErrorAnswer>['body'];
    const { body } = toErrorAnswer(invalidRequest(example.errors), example.request_id);
    expect(body).toEqual(example);
  });
});

function dnsRow(kind: ErrorKind, subject: keyof typeof SUBJECTS | undefined): string[] {
  const error = new ServiceError(kind, '', { details: { subject } });
  const { status, body } = toErrorAnswer(error, 'req-1');
  const about = subject === undefined ? '' : SUBJECTS[subject];
  return [kind, about, String(status), `\`${body.type}\``];
}

/** Each stands where HTTP is handled, so the sources are the list of them. */
function httpRefusals(): string[][] {
  const sources = new URL('../../dns-api/src/', import.meta.url);
  const files = readdirSync(sources, { recursive: true, encoding: 'utf8' });
  return files
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
    .map((path) => readFileSync(new URL(path, sources), 'utf8'))
    .flatMap((text) => [
      ...text.matchAll(/new RequestRefused\(\s*\{ status: (\d+), type: '(\w+)'/g),
    ])
    .map(([, status = '', type = '']) => [status, `\`${type}\``])
    .toSorted();
}

/** The cells of each table's rows, without its heading. */
function tables(section: string): string[][][] {
  return (section.match(/(?:^\|.*\n)+/gm) ?? []).map((table) =>
    table
      .trimEnd()
      .split('\n')
      .slice(2)
      .map((line) =>
        line
          .split('|')
          .slice(1, -1)
          .map((cell) => cell.trim()),
      ),
  );
}

function codeBlocks(section: string, language: string): string[] {
  return [...section.matchAll(/```(\w+)\n([\s\S]*?)\n```/g)]
    .filter(([, found]) => found === language)
    .map(([, , text = '']) => text);
}
