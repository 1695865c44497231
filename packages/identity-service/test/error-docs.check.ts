import { describe, expect, it } from '@jest/globals';
import { Refusal, type RefusalCode, REFUSALS } from '@zonewright/http-api';
import { type ErrorKind, ServiceError } from '@zonewright/service-kit';
import { readCodeBlocks, readItems } from '@zonewright/testkit';
import { readFileSync } from 'node:fs';
import { representFault, toFault } from '../src/schemas/errors.js';

// The compiler requires a line here when a kind or a status is added.
const OCCURS = {
  invalid: true,
  unauthenticated: true,
  forbidden: true,
  'not-found': true,
  conflict: true,
  'precondition-failed': false,
  'over-quota': true,
  'rate-limited': true,
  unavailable: true,
} satisfies Record<ErrorKind, boolean>;
const KINDS = Object.keys(OCCURS) as ErrorKind[];

/** One code for each status except 400, which invalid requests already cover. */
const REFUSAL_CODES = (Object.keys(REFUSALS) as RefusalCode[])
  .filter((code, at, all) => all.findIndex((other) => REFUSALS[other] === REFUSALS[code]) === at)
  .filter((code) => REFUSALS[code] !== 400)
  .toSorted((one, other) => REFUSALS[one] - REFUSALS[other]);

const GUIDE = readFileSync(new URL('../../../docs/reference/errors.md', import.meta.url), 'utf8');
const [SECTION = ''] = GUIDE.split('\n## DNS API\n');

const RATE_LIMITED = new ServiceError('rate-limited', '', {
  details: { window: 'SECOND', retryAfterSeconds: 1 },
});

describe('docs/reference/errors.md has every error of the identity API', () => {
  it('lists each kind', () => {
    const documented = readItems(SECTION).filter((item) => /^[a-z-]+: \d{3} /.test(item));
    const kinds = KINDS.filter((kind) => OCCURS[kind]);
    expect(documented).toHaveLength(kinds.length);
    kinds.forEach((kind, index) => {
      const error = kind === 'rate-limited' ? RATE_LIMITED : new ServiceError(kind, '');
      const { status, root, message, details, headers } = toFault(error, 'PATH');
      const names = Object.keys(headers).map((name) => `\`${name}\``);
      const head = `${kind}: ${status} \`${root}\`, "${message}"`;
      const tail = names.length === 0 ? '' : `; ${names.join(', ')}`;
      const item = documented[index] ?? '';
      // If the code sets no details, the page describes those of the operations.
      const said = details ?? item.slice(head.length, item.length - tail.length).replace('; ', '');
      expect(item).toBe(`${head}${said === '' ? '' : `; ${said}`}${tail}`);
      expect(said).not.toContain('`');
    });
  });

  it.each(KINDS.filter((kind) => !OCCURS[kind]))('%s is not listed as a fault', (kind) => {
    expect(toFault(new ServiceError(kind, ''), 'PATH').status).toBe(500);
    expect(SECTION).toContain(`\`${kind}\``);
  });

  it('lists each HTTP error with its fault', () => {
    const rows = REFUSAL_CODES.map((code) => {
      const fault = toFault(new Refusal(code), 'PATH');
      return `${fault.status} \`${fault.root}\`: ${fault.message}`;
    });
    expect(readItems(SECTION).filter((item) => /^\d{3} /.test(item))).toEqual(rows);
    const fault = toFault(new Error('cause'), 'PATH');
    expect(SECTION).toContain(
      `${fault.status}, root \`${fault.root}\`, message \`${fault.message}\``,
    );
  });

  it('lists each form of a body', () => {
    const details = 'what was not found';
    const notFound = toFault(new ServiceError('not-found', '', { details }), '');
    const refused = toFault(new ServiceError('unauthenticated', ''), '');
    const limited = toFault(RATE_LIMITED, '/v2.0/tenants');
    const json = readCodeBlocks(SECTION, 'json').map((text) => JSON.parse(text) as unknown);
    expect(json).toEqual(
      [
        representFault(notFound, '/v2.0/tokens'),
        representFault(refused, '/v2.0/tokens'),
        representFault(notFound, '/v3/auth/tokens'),
        representFault(notFound, '/v3/users/ID'),
      ].map((body) => JSON.parse(body.toJson()) as unknown),
    );
    expect(readCodeBlocks(SECTION, 'xml')).toEqual(
      [
        representFault(notFound, '/v2.0/tokens'),
        representFault(limited, '/v2.0/tenants'),
        representFault(notFound, '/v3/auth/tokens'),
      ].map((body) => body.toXml()),
    );
  });
});
