import { describe, expect, it } from '@jest/globals';
import { nameToWire, RR_TYPE } from '@zonewright/dns-records';
import { buildQuery } from '../conformance/support/query.js';
import { parseZone } from '../conformance/support/zones.js';
import type { ZoneContent } from '../src/compile/zone-tree.js';
import { InProcessServer } from './support/in-process-server.js';

const ZONE = 'dname.test.';

/** Returns a zone from text, with DNAME records given as pairs of names. */
function zoneOf(text: string, dnames: readonly (readonly [string, string])[]): ZoneContent {
  const zone = parseZone(
    ZONE,
    `$TTL 600\n@ SOA ns host 1 7200 900 1209600 300\n@ NS ns\nns A 192.0.2.1\n${text}`,
  );
  const records = dnames.map(([owner, target]) => {
    return { owner: nameToWire(owner), type: RR_TYPE.DNAME, ttl: 600, rdata: nameToWire(target) };
  });
  return { ...zone, records: [...zone.records, ...records] };
}

const plain = zoneOf(
  'www.target A 192.0.2.2\nhidden.d A 192.0.2.3\nhidden NS ns2.d\nns2.d A 192.0.2.4\n',
  [[`d.${ZONE}`, `target.${ZONE}`]],
);

describe('DNAME (RFC 6672)', () => {
  it('names below it do not exist, even if a transfer contained them', () => {
    const server = new InProcessServer([plain]);
    const { rcode, answers } = server.ask('TCP', { question: `hidden.d.${ZONE} A` });
    expect([rcode, answers.length]).toEqual(['NXDOMAIN', 2]);
    expect(answers[1]).toBe(`hidden.d.${ZONE} 600 IN CNAME hidden.target.${ZONE}`);
    const referral = server.ask('TCP', { question: `x.hidden.${ZONE} A` });
    expect(referral.authorities).toEqual([`hidden.${ZONE} 600 IN NS ns2.d.${ZONE}`]);
    expect(referral.additionals).toEqual([]);
  });

  it('a hosted zone below it answers itself, and names that lead to it are substituted', () => {
    const child = `child.x.d.${ZONE}`;
    const hosted = parseZone(
      child,
      '@ 60 SOA ns host 1 2 3 4 5\n@ 60 NS ns.elsewhere.invalid.\n@ 60 A 192.0.2.9\n',
    );
    const server = new InProcessServer([plain, hosted]);
    expect(server.ask('TCP', { question: `${child} A` }).answers).toEqual([
      `${child} 60 IN A 192.0.2.9`,
    ]);
    const between = server.ask('TCP', { question: `x.d.${ZONE} A` });
    expect(between.answers.at(-1)).toBe(`x.d.${ZONE} 600 IN CNAME x.target.${ZONE}`);
    // The parent has no delegation there, so the child answers that it has no DS.
    const ds = server.ask('TCP', { question: `${child} DS` });
    expect(ds.authorities[0]).toMatch(new RegExp(`^${child} 5 IN SOA `));
  });

  it('at the apex it is beside NS and SOA, and hides all names', () => {
    const server = new InProcessServer([zoneOf('', [[ZONE, 'elsewhere.invalid.']])]);
    expect(server.ask('TCP', { question: `${ZONE} NS` }).answers).toHaveLength(1);
    const { rcode, answers } = server.ask('TCP', { question: `ns.${ZONE} A` });
    expect([rcode, answers.length]).toEqual(['NOERROR', 2]);
  });

  it('a DNAME that does not fit is truncated, and the end of the chain determines the rcode (RFC 6604 s3)', () => {
    const label = 'l'.repeat(63);
    const long = `${label}.${label}.${label}`;
    const zone = zoneOf(`${long} A 192.0.2.5\n`, [
      [`a.${ZONE}`, `b.${label}.${label}.${ZONE}`],
      [`b.${label}.${label}.${ZONE}`, `c.${label}.${label}.${ZONE}`],
      [`c.${label}.${label}.${ZONE}`, `missing.${label}.${label}.${ZONE}`],
    ]);
    const { rcode, flags, answers } = new InProcessServer([zone]).ask('UDP', {
      question: `x.a.${ZONE} A`,
    });
    expect(rcode).toBe('NXDOMAIN');
    expect(flags).toContain('tc');
    expect(answers.length).toBeLessThan(6);
  });

  it('its target is never compressed, but the CNAME is', () => {
    const octets = new InProcessServer([plain]).answer(
      'UDP',
      buildQuery({ question: `www.d.${ZONE} A` }),
    )!;
    expect(octets.includes(Buffer.from(nameToWire(`target.${ZONE}`)))).toBe(true);
    expect(octets.includes(Buffer.from(nameToWire(`www.target.${ZONE}`)))).toBe(false);
  });

  it('a name that becomes too long gets YXDOMAIN, with the DNAME', () => {
    const label = 'l'.repeat(63);
    const zone = zoneOf('', [[`d.${ZONE}`, `${label}.${label}.${label}.${ZONE}`]]);
    const { rcode, answers } = new InProcessServer([zone]).ask('TCP', {
      question: `${label}.d.${ZONE} A`,
    });
    expect(rcode).toBe('RCODE6');
    expect(answers).toHaveLength(1);
  });

  it('all names below it count as one answer for the rate limit', () => {
    const server = new InProcessServer([plain]);
    const identityOf = (question: string) => {
      server.ask('TCP', { question });
      return server.context.answerIdentity;
    };
    expect(identityOf(`one.d.${ZONE} A`)).toBe(identityOf(`two.three.d.${ZONE} TXT`));
    expect(identityOf(`one.d.${ZONE} A`)).not.toBe(identityOf(`d.${ZONE} A`));
  });

  it('ANY for a name below it follows it', () => {
    const { answers } = new InProcessServer([plain]).ask('TCP', { question: `www.d.${ZONE} ANY` });
    expect(answers.at(-1)).toBe(`www.target.${ZONE} 600 IN A 192.0.2.2`);
  });
});
