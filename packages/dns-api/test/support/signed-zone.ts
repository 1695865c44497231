import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from '@jest/globals';
import type { Database } from '@zonewright/database';
import { nameToWire, typeMnemonic, wireToName } from '@zonewright/dns-records';
import { nameOfKey, signedRecordsFromOctets } from '@zonewright/dns-records/dnssec';

/** A signed zone as a nameserver makes it of rows: users' records, and what the service keeps; as a zone file. */
export async function readSignedZone(db: Database, name: string): Promise<string> {
  const { rows: records } = await db.raw<{
    rows: { name: string; type: string; ttl: number; rdata: Buffer }[];
  }>(
    `select r.name, r.type, coalesce(r.ttl, d.ttl) as ttl, r.rdata
       from dns.records as r join dns.domains as d on d.id = r.domain_id
      where d.name = ? and d.deleted_at is null`,
    [name],
  );
  const { rows: kept } = await db.raw<{ rows: { canonical: Buffer; records: Buffer }[] }>(
    `select n.canonical, n.records from dns.signed_names as n join dns.domains as d on d.id = n.domain_id
      where d.name = ? and d.deleted_at is null order by n.canonical`,
    [name],
  );
  const lines = kept.flatMap(({ canonical, records: octets }) => {
    const owner = wireToName(nameOfKey(canonical.toString('latin1'), nameToWire(name)));
    return signedRecordsFromOctets(octets).map(({ type, ttl, rdata }) =>
      toLine(owner, ttl, typeMnemonic(type), rdata),
    );
  });
  // One TTL for an RRset, the lowest.
  const ttls = new Map<string, number>();
  for (const { name: owner, type, ttl } of records) {
    const key = `${owner} ${type}`;
    ttls.set(key, Math.min(ttl, ttls.get(key) ?? ttl));
  }
  const own = records.map(({ name: owner, type, rdata }) =>
    toLine(owner, ttls.get(`${owner} ${type}`) ?? 0, type, rdata),
  );
  return `${[...lines, ...own].join('\n')}\n`;
}

function toLine(owner: string, ttl: number, type: string, rdata: Uint8Array): string {
  const hex = Buffer.from(rdata).toString('hex');
  return `${owner} ${ttl} IN ${type} \\# ${rdata.length} ${hex}`;
}

const PROGRAMS: readonly [program: string, args: (name: string, file: string) => string[]][] = [
  ['dnssec-verify', (name, file) => ['-q', '-z', '-o', name, file]],
  ['ldns-verify-zone', (_, file) => ['-V1', file]],
  ['kzonecheck', (name, file) => ['-d', 'on', '-o', name, file]],
];

/** Programs of others that find what is wrong with a signed zone, as far as they are installed. */
export class ZoneVerifier {
  readonly #folder = mkdtempSync(join(tmpdir(), 'zonewright-signed-'));
  readonly #programs = PROGRAMS.filter(([program]) => {
    const isThere = spawnSync(program, ['-h']).error === undefined;
    if (!isThere) process.stderr.write(`SKIPPED: ${program} is not here\n`);
    return isThere;
  });

  constructor() {
    afterAll(() => {
      rmSync(this.#folder, { recursive: true });
    });
  }

  /** The same at another time, as far as one of them can be told the time. */
  faultsAt(name: string, text: string, time: Date): string {
    const isThere = this.#programs.some(([program]) => program === 'ldns-verify-zone');
    if (!isThere) return '';
    const file = join(this.#folder, 'zone');
    writeFileSync(file, text);
    const at = time.toISOString().replaceAll(/[-:T]|\..*/g, '');
    const { status, stdout, stderr } = spawnSync('ldns-verify-zone', ['-V1', '-t', at, file], {
      encoding: 'utf8',
    });
    return status === 0 ? '' : `${name} at ${at}: ${stdout}${stderr}`;
  }

  /** What they say is wrong; nothing: ''. */
  faultsOf(name: string, text: string): string {
    const file = join(this.#folder, 'zone');
    writeFileSync(file, text);
    return this.#programs
      .map(([program, args]) => {
        const { status, stdout, stderr } = spawnSync(program, args(name, file), {
          encoding: 'utf8',
        });
        return status === 0 ? '' : `${program}: ${stdout}${stderr}`;
      })
      .join('');
  }
}
