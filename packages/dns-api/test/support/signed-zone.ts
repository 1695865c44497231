import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from '@jest/globals';
import type { Database } from '@zonewright/database';
import { nameToWire, RR_TYPE, typeMnemonic, typeNumber, wireToName } from '@zonewright/dns-records';
import {
  isSigningType,
  nameOfKey,
  signedRecordsFromOctets,
  typeCoveredBy,
} from '@zonewright/dns-records/dnssec';

/** Returns a signed zone as a zone file, composed from rows as in a nameserver: users' records and the service's. */
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
  const complete = new Set<string>();
  const signedTtls = new Map<string, number>();
  const lines = kept.flatMap(({ canonical, records: octets }) => {
    const owner = wireToName(nameOfKey(canonical.toString('latin1'), nameToWire(name)));
    return signedRecordsFromOctets(octets).map(({ type, ttl, rdata }) => {
      complete.add(`${owner} ${typeMnemonic(type)}`);
      if (type === RR_TYPE.RRSIG) {
        signedTtls.set(`${owner} ${typeMnemonic(typeCoveredBy(rdata))}`, ttl);
      }
      return toLine(owner, ttl, typeMnemonic(type), rdata);
    });
  });
  // An RRset has one TTL: the signed one, or otherwise the lowest.
  const ttls = new Map<string, number>();
  for (const { name: owner, type, ttl } of records) {
    const key = `${owner} ${type}`;
    ttls.set(key, Math.min(ttl, ttls.get(key) ?? ttl));
  }
  const own = records
    .filter(({ name: owner, type }) => {
      const isOfSigning = isSigningType(typeNumber(type) ?? 0);
      return !isOfSigning && !complete.has(`${owner} ${type}`);
    })
    .map(({ name: owner, type, rdata }) => {
      const rrset = `${owner} ${type}`;
      return toLine(owner, signedTtls.get(rrset) ?? ttls.get(rrset) ?? 0, type, rdata);
    });
  return `${[...lines, ...own].join('\n')}\n`;
}

function toLine(owner: string, ttl: number, type: string, rdata: Uint8Array): string {
  const hex = Buffer.from(rdata).toString('hex');
  return `${owner} ${ttl} IN ${type} \\# ${rdata.length} ${hex}`;
}

/**
 * Returns the content of a signed zone without serial, signatures and keys, so that two zones whose first labels have
 * the same length can be compared.
 */
export function shapeOfSigned(text: string, name: string): string[] {
  const [label = ''] = name.split('.');
  const hex = Buffer.from(label).toString('hex');
  return text
    .split('\n')
    .filter((line) => !/ IN (RRSIG|SOA|DNSKEY|CDS|CDNSKEY) /.test(line))
    .map((line) =>
      line
        .replaceAll(name, 'zone.')
        .replace(/ \\# \d+ /, ' ')
        .replaceAll(hex, 'zone'),
    )
    .sort();
}

const PROGRAMS: readonly [program: string, args: (name: string, file: string) => string[]][] = [
  ['dnssec-verify', (name, file) => ['-q', '-z', '-o', name, file]],
  ['ldns-verify-zone', (_, file) => ['-V1', file]],
  ['kzonecheck', (name, file) => ['-d', 'on', '-o', name, file]],
];

/** Other projects' programs that verify signed zones, as far as they are installed. */
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

  /** Verifies a zone as of another time with the programs that support this. */
  async faultsAt(name: string, text: string, time: Date): Promise<string> {
    const at = time.toISOString().replaceAll(/[-:T]|\..*/g, '');
    return await this.#look(text, [
      ...this.#ifThere('ldns-verify-zone', (file) => ['-V1', '-t', at, file]),
      ...this.#ifThere('kzonecheck', (file) => ['-d', 'on', '-t', at, '-o', name, file]),
    ]);
  }

  /** Returns the faults that they report, or '' if there are none. Knot refuses zones with records below a DNAME. */
  async faultsOf(name: string, text: string, { hidesNames = false } = {}): Promise<string> {
    return await this.#look(
      text,
      this.#programs
        .filter(([program]) => !hidesNames || program !== 'kzonecheck')
        .map(([program, args]) => [program, (file: string) => args(name, file)]),
    );
  }

  #ifThere(wanted: string, args: (file: string) => string[]): LookingProgram[] {
    return this.#programs.some(([program]) => program === wanted) ? [[wanted, args]] : [];
  }

  /** Runs the programs concurrently, without blocking this process, because services keep connections open. */
  async #look(text: string, programs: readonly LookingProgram[]): Promise<string> {
    const file = join(this.#folder, 'zone');
    writeFileSync(file, text);
    // If there are several keys, kzonecheck of Knot 3.2 assumes that those with the SEP flag sign only keys.
    const hasKeys = (text.match(/ IN DNSKEY /g) ?? []).length > 1;
    const looking = programs.filter(([program]) => !hasKeys || program !== 'kzonecheck');
    const faults = looking.map(
      ([program, args]) =>
        new Promise<string>((resolve) => {
          execFile(program, args(file), (error, stdout, stderr) => {
            resolve(error === null ? '' : `${program}: ${stdout}${stderr}`);
          });
        }),
    );
    return (await Promise.all(faults)).join('');
  }
}

type LookingProgram = readonly [program: string, args: (file: string) => string[]];
