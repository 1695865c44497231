import { exchangeUdp, freePort, type NameserverAddress, waitFor } from '@zonewright/testkit';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildQuery } from '../../conformance/support/query.js';

const PROGRAM = 'unbound';
export const RECURSION_DESIRED = 0x0100;

/** Whether Debian's unbound is there; a line says what is missing. */
export function hasUnbound(): boolean {
  if (spawnSync(PROGRAM, ['-h']).error === undefined) return true;
  process.stderr.write("SKIPPED (no unbound; Debian's package unbound has it)\n");
  return false;
}

interface ResolverOptions {
  /** That are asked of the nameserver. */
  readonly zones: readonly string[];
  /** What is trusted: `example. DS 1 13 2 ...`. */
  readonly anchors: readonly string[];
}

/** Unbound, which asks one nameserver about some zones, believes what leads to their anchors, and uses NSEC that it has seen. */
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
    { zones, anchors }: ResolverOptions,
  ): Promise<ValidatingResolver> {
    const folder = mkdtempSync(join(tmpdir(), 'zonewright-unbound-'));
    const port = await freePort();
    const stubs = zones.map(
      (name) => `stub-zone:
  name: "${name}"
  stub-addr: ${nameserver.host}@${nameserver.port}
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
  do-not-query-localhost: no
  module-config: "validator iterator"
  local-zone: "test." nodefault
  aggressive-nsec: yes
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

  async stop(): Promise<void> {
    if (this.#process.exitCode === null && this.#process.signalCode === null) {
      const exited = once(this.#process, 'exit');
      this.#process.kill('SIGTERM');
      await exited;
    }
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

async function answers(port: number): Promise<boolean> {
  const query = buildQuery({ question: 'localhost. A', flags: RECURSION_DESIRED });
  try {
    await exchangeUdp({ host: '127.0.0.1', port }, query, 300);
    return true;
  } catch {
    return false;
  }
}
