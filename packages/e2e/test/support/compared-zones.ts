import { expect } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A key of transfers. */
export interface ForeignKey {
  readonly name: string;
  readonly algorithm: string;
  readonly secret: string;
}

/** Those that every one of the four nameservers has. */
export const ALGORITHMS = ['hmac-sha1', 'hmac-sha256', 'hmac-sha512'] as const;

/** Where a zone can be had; without a key everybody gets it. */
export interface ZoneAt {
  readonly port: number;
  readonly key: ForeignKey | undefined;
}

/** Of Debian's ldnsutils and bind9-dnsutils. */
const COMPARE = 'ldns-compare-zones';
const DIG = 'dig';
/** A million records take their time. */
const TIMEOUT_MS = 600_000;

/** Fails unless both have the same records, SOA and TTLs too. */
export function expectEqualZones(zone: string, ours: ZoneAt, theirs: ZoneAt): void {
  const folder = mkdtempSync(join(tmpdir(), 'zonewright-compared-'));
  try {
    const files = [join(folder, 'ours'), join(folder, 'theirs')];
    dumpZone(zone, ours, files[0] ?? '');
    dumpZone(zone, theirs, files[1] ?? '');
    const args = ['-a', '-e', '-s', ...files];
    const { status, stdout } = spawnSync(COMPARE, args, {
      encoding: 'utf8',
      timeout: TIMEOUT_MS,
    });
    expect({ of: zone, at: theirs.port, status, stdout: stdout.slice(0, 2_000) }).toMatchObject({
      status: 0,
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Whether a zone can be transferred. */
export function canTransfer(zone: string, from: ZoneAt): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'zonewright-compared-'));
  try {
    dumpZone(zone, from, join(folder, 'zone'));
    return true;
  } catch {
    return false;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A zone as text, by transfer. Not through a pipe: it may be larger than what this process holds of one. */
function dumpZone(zone: string, { port, key }: ZoneAt, file: string): void {
  const signed = key && `${key.algorithm}:${key.name}:${key.secret}`;
  const output = openSync(file, 'w');
  try {
    const options = ['+onesoa', '+noall', '+answer', '+time=60', '+tries=1'];
    const args = ['@127.0.0.1', '-p', String(port), ...options];
    spawnSync(DIG, [...args, ...(signed ? ['-y', signed] : []), zone, 'AXFR'], {
      stdio: ['ignore', output, 'inherit'],
      timeout: TIMEOUT_MS,
    });
  } finally {
    closeSync(output);
  }
  // Its complaints are comments: of nobody there in front, of a transfer that broke off behind.
  const ends = readEnds(file);
  if (!/\sSOA\s/.test(ends) || /^;/m.test(ends)) throw new Error(`no transfer of ${zone}: ${ends}`);
}

/** So much of the beginning and of the end of a file, this from a whole line on: within one a text may look like a comment. */
function readEnds(file: string, length = 1_000): string {
  const { size } = statSync(file);
  const octets = Buffer.alloc(length);
  const input = openSync(file, 'r');
  try {
    const [first = '', last = ''] = [0, Math.max(0, size - length)].map((at) =>
      octets.toString('utf8', 0, readSync(input, octets, 0, length, at)),
    );
    return size > length ? first + last.slice(last.indexOf('\n')) : first;
  } finally {
    closeSync(input);
  }
}
