import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@zonewright/service-kit';
import { type NameserverAddress, sendQuery } from './dns-client.js';
import { waitFor } from './wait-for.js';

const PROGRAM = 'unbound';

/** Whether Debian's unbound is installed. A line is printed if it is missing. */
export function hasUnbound(): boolean {
  if (spawnSync(PROGRAM, ['-h']).error === undefined) return true;
  process.stderr.write("SKIPPED (no unbound; Debian's package unbound has it)\n");
  return false;
}

interface ResolverOptions {
  /** Zones for which the nameserver is queried. */
  readonly zones: readonly string[];
  /** Zones for which other nameservers are queried. */
  readonly others?: readonly { readonly zone: string; readonly nameserver: NameserverAddress }[];
  /** Trust anchors, such as `example. DS 1 13 2 ...`. */
  readonly anchors: readonly string[];
  /** Time at which signatures are checked. The default is now. */
  readonly time?: Date;
}

/**
 * Unbound resolver that queries a nameserver for some zones, validates with their trust anchors and uses cached NSEC
 * records.
 */
export class ValidatingResolver {
  readonly address: NameserverAddress;
  readonly #process: ChildProcess;
  readonly #folder: string;

  private constructor(process: ChildProcess, port: number, folder: string) {
    this.#process = process;
    this.address = { host: '127.0.0.1', port };
    this.#folder = folder;
  }

  static async start(
    nameserver: NameserverAddress,
    { zones, others = [], anchors, time }: ResolverOptions,
  ): Promise<ValidatingResolver> {
    const folder = mkdtempSync(join(tmpdir(), 'zonewright-unbound-'));
    const port = await freePort();
    const stubs = [...zones.map((zone) => ({ zone, nameserver })), ...others].map(
      ({ zone, nameserver: { host, port: at } }) => `stub-zone:
  name: "${zone}"
  stub-addr: ${host}@${at}
`,
    );
    writeFileSync(
      join(folder, 'config'),
      `server:
  directory: "${folder}"
  chroot: ""
  username: ""
  pidfile: ""
  interface: 127.0.0.1@${port}
  num-threads: 1
  do-ip6: no
  use-syslog: no
  logfile: "${folder}/log"
  log-servfail: yes
  val-log-level: 2
  do-not-query-localhost: no
  module-config: "validator iterator"
  local-zone: "test." nodefault
  aggressive-nsec: yes
  # To the second.
  val-sig-skew-min: 0
  val-sig-skew-max: 0
${time === undefined ? '' : `  val-override-date: "${toDigits(time)}"`}
  root-hints: ""
  # What lies outside of the zones is not there.
  local-zone: "elsewhere.invalid." always_nxdomain
${anchors.map((anchor) => `  trust-anchor: "${anchor}"`).join('\n')}
remote-control:
  control-enable: no
${stubs.join('')}`,
    );
    const child = spawn(PROGRAM, ['-d', '-c', join(folder, 'config')], {
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    const resolver = new ValidatingResolver(child, port, folder);
    await waitFor(async () => child.exitCode !== null || (await answers(port)));
    return resolver;
  }

  /** Returns the reasons for SERVFAIL and for bogus data. */
  readLog(): string {
    return readFileSync(join(this.#folder, 'log'), 'utf8');
  }

  async stop(): Promise<void> {
    if (this.#process.exitCode === null && this.#process.signalCode === null) {
      const exited = once(this.#process, 'exit');
      this.#process.kill('SIGTERM');
      await exited;
    }
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** Formats a time as in RRSIG: YYYYMMDDHHmmSS (RFC 4034 s3.2). */
function toDigits(time: Date): string {
  return time.toISOString().replaceAll(/[-:T]|\..*/g, '');
}

async function answers(port: number): Promise<boolean> {
  try {
    await sendQuery({ host: '127.0.0.1', port }, 'localhost.', 'A', { timeoutMs: 300 });
    return true;
  } catch {
    return false;
  }
}

export const SECURE = '; fully validated';
export const SECURELY_MISSING = '; negative response, fully validated';
const DELV = 'delv';
const TIMEOUT_MS = 20_000;
const TRIES = 3;

export const hasDelv = (): boolean => spawnSync(DELV, ['-v']).error === undefined;

/**
 * Returns the verdict of delv on a nameserver's answer. delv trusts only the anchors in the file. About once in a
 * thousand runs (9.18), its threads deadlock at the end and it prints no result; the query is then repeated.
 */
export function validateAnswer(
  { host, port }: NameserverAddress,
  { file, root }: { readonly file: string; readonly root: string },
  name: string,
  type: string,
): string {
  const args = [`@${host}`, '-p', String(port), '-a', file, `+root=${root}`, name, type];
  for (let tries = 1; ; tries++) {
    const found = spawnSync(DELV, args, { encoding: 'utf8', timeout: TIMEOUT_MS });
    if (found.signal === null || tries === TRIES) return found.stdout + found.stderr;
  }
}
