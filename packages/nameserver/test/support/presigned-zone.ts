import {
  nameToWire,
  readMessage,
  RR_CLASS,
  RR_TYPE,
  type MessageRecord,
} from '@zonewright/dns-records';
import type { NameserverAddress } from '@zonewright/testkit';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildQuery } from '../../conformance/support/query.js';
import type { ZoneContent } from '../../src/compile/zone-tree.js';

/** The way in which another program signs a zone. */
export interface ForeignSigning {
  readonly signer: 'dnssec-signzone' | 'kzonesign';
  /** Undefined if the zone uses NSEC. */
  readonly hashing: Hashing | undefined;
}

/** The NSEC3 parameters of a zone. */
export interface Hashing {
  readonly iterations: number;
  /** The salt in hexadecimal; may be empty. */
  readonly salt: string;
  readonly isOptOut: boolean;
}

/** A zone that another program has signed. */
export interface PresignedZone {
  readonly text: string;
  /** The trust anchor for resolvers, as in `example. DS 1 13 2 ...`. */
  readonly anchor: string;
}

const PROGRAMS = ['dnssec-keygen', 'dnssec-signzone', 'dnssec-dsfromkey', 'kzonesign', 'keymgr'];

/** Returns whether Debian's signing programs are installed; a line reports missing ones. */
export function hasSigners(): boolean {
  const missing = PROGRAMS.filter((name) => spawnSync(name, ['-h']).error !== undefined);
  if (missing.length === 0) return true;
  process.stderr.write(
    `SKIPPED (no ${missing.join(', ')}; Debian's packages bind9-utils, knot and knot-dnssecutils have them)\n`,
  );
  return false;
}

/** Signs a zone from text; `zone` is its name with the trailing dot. */
export function presignZone(zone: string, text: string, signing: ForeignSigning): PresignedZone {
  const folder = mkdtempSync(join(tmpdir(), 'zonewright-presigned-'));
  try {
    writeFileSync(join(folder, 'zone'), text);
    return signing.signer === 'kzonesign'
      ? signWithKnot(folder, zone, signing)
      : signWithBind(folder, zone, signing);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function signWithBind(folder: string, zone: string, { hashing }: ForeignSigning): PresignedZone {
  const keygen = ['-q', '-a', 'ECDSAP256SHA256', '-K', folder, '-f', 'KSK', zone];
  const key = run('dnssec-keygen', keygen, folder).trim();
  const options = ['-q', '-S', '-z', '-K', folder, '-o', zone, '-O', 'full', '-f', 'signed'];
  run('dnssec-signzone', [...options, ...hashingOptions(hashing), 'zone'], folder);
  return {
    text: readFileSync(join(folder, 'signed'), 'utf8'),
    anchor: toAnchor(run('dnssec-dsfromkey', ['-2', join(folder, key)], folder)),
  };
}

function hashingOptions(hashing: Hashing | undefined): string[] {
  if (hashing === undefined) return [];
  const { iterations, salt, isOptOut } = hashing;
  const options = ['-3', salt === '' ? '-' : salt, '-H', String(iterations)];
  return isOptOut ? [...options, '-A'] : options;
}

function signWithKnot(folder: string, zone: string, { hashing }: ForeignSigning): PresignedZone {
  const { iterations, salt, isOptOut } = hashing ?? { iterations: 0, salt: '', isOptOut: false };
  const config = join(folder, 'config');
  mkdirSync(join(folder, 'keys'));
  writeFileSync(
    config,
    `database:
  storage: "${folder}/keys"
policy:
  - id: hashed
    single-type-signing: on
    nsec3: ${hashing === undefined ? 'off' : 'on'}
    nsec3-iterations: ${iterations}
    nsec3-salt-length: ${salt.length / 2}
    nsec3-opt-out: ${isOptOut ? 'on' : 'off'}
zone:
  - domain: ${zone}
    storage: "${folder}"
    file: zone
    dnssec-policy: hashed
    dnssec-signing: on
    semantic-checks: off
`,
  );
  run('kzonesign', ['-c', config, '-o', folder, zone], folder);
  const ds = run('keymgr', ['-c', config, zone, 'ds'], folder);
  const file = readdirSync(folder).find((name) => name.endsWith('.zone')) ?? 'zone';
  return { text: readFileSync(join(folder, file), 'utf8'), anchor: toAnchor(ds) };
}

/** Selects the DS record with SHA-256 if there are several. */
function toAnchor(text: string): string {
  const line = text.split('\n').find((each) => / DS \d+ \d+ 2 /.test(each)) ?? '';
  return line.replace(/ IN DS /, ' DS ');
}

function run(program: string, args: readonly string[], folder: string): string {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: folder, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} ended with ${status}: ${stderr}`);
  return stdout;
}

/** Transfers a zone from another server, as a secondary does. */
export async function transferZone(
  server: NameserverAddress,
  zone: string,
  isSigned = true,
): Promise<ZoneContent> {
  const records: MessageRecord[] = [];
  for await (const octets of listMessages(server, buildQuery({ question: `${zone} AXFR` }))) {
    records.push(...readMessage(octets).answers);
    if (records.length > 1 && records.at(-1)!.type === RR_TYPE.SOA) break;
  }
  const content = records.slice(0, -1).filter((record) => record.class === RR_CLASS.IN);
  return {
    apex: nameToWire(zone),
    serial: 1,
    isSigned,
    isForeign: true,
    records: content.map(({ name, type, ttl, rdata }) => ({ owner: name, type, ttl, rdata })),
  };
}

async function* listMessages(
  { host, port }: NameserverAddress,
  query: Uint8Array,
): AsyncGenerator<Buffer> {
  const socket = connect(port, host);
  const length = Buffer.alloc(2);
  length.writeUInt16BE(query.length);
  socket.write(Buffer.concat([length, query]));
  let waiting = Buffer.alloc(0);
  for await (const chunk of socket as AsyncIterable<Buffer>) {
    waiting = Buffer.concat([waiting, chunk]);
    while (waiting.length >= 2 && waiting.length >= 2 + waiting.readUInt16BE(0)) {
      const end = 2 + waiting.readUInt16BE(0);
      yield waiting.subarray(2, end);
      waiting = waiting.subarray(end);
    }
  }
}
