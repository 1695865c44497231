import { expect } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Key for transfers. */
export interface ForeignKey {
  readonly name: string;
  readonly algorithm: string;
  readonly secret: string;
}

/** Algorithms that all four nameservers support. */
export const ALGORITHMS = ['hmac-sha1', 'hmac-sha256', 'hmac-sha512'] as const;

/** Source of a zone. Without a key, anybody can transfer it. */
export interface ZoneAt {
  readonly port: number;
  readonly key: ForeignKey | undefined;
}

/** Programs of Debian's ldnsutils and bind9-dnsutils. */
const COMPARE = 'ldns-compare-zones';
const DIG = 'dig';
/** Time limit for a million records. */
const TIMEOUT_MS = 600_000;

/** Fails unless both have the same records, including SOA and TTLs. */
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

/** Writes a zone as text to a file, by a transfer. A pipe could not hold a large zone. */
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
  // Error messages are comments: at the beginning if nobody answers, at the end if a transfer was interrupted.
  const ends = readEnds(file);
  if (!/\sSOA\s/.test(ends) || /^;/m.test(ends)) throw new Error(`no transfer of ${zone}: ${ends}`);
}

/**
 * Reads the beginning and the end of a file. The latter starts with a complete line, since a text within a line may
 * look like a comment.
 */
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
