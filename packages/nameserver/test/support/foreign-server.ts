import { freePort, type NameserverAddress, waitFor } from '@zonewright/testkit';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type ForeignName = 'nsd' | 'knotd' | 'named';

/** The configuration of each server for zones in files of the folder that have the zones' names, and its arguments. */
const SERVERS: Readonly<
  Record<
    ForeignName,
    (folder: string, port: number, zones: readonly string[]) => [string, string[]]
  >
> = {
  nsd: (folder, port, zones) => [
    `server:
  ip-address: 127.0.0.1@${port}
  username: ""
  zonesdir: "${folder}"
  database: ""
  pidfile: "${folder}/pid"
  zonelistfile: "${folder}/zone.list"
  xfrdfile: "${folder}/xfrd.state"
  xfrdir: "${folder}"
  rrl-ratelimit: 0
  logfile: "${folder}/log"
remote-control:
  control-enable: no
${zones.map((zone) => `zone:\n  name: "${zone}"\n  zonefile: "${zone}"\n  provide-xfr: 127.0.0.1 NOKEY`).join('\n')}
`,
    ['-d', '-c', `${folder}/config`],
  ],
  knotd: (folder, port, zones) => [
    `server:
  rundir: "${folder}"
  listen: 127.0.0.1@${port}
database:
  storage: "${folder}"
log:
  - target: stderr
    any: error
template:
  - id: default
    storage: "${folder}"
    semantic-checks: off
    zonefile-sync: -1
    journal-content: none
zone:
${zones.map((zone) => `  - domain: "${zone}"\n    file: "${zone}"`).join('\n')}
`,
    ['-c', `${folder}/config`],
  ],
  named: (folder, port, zones) => [
    `options {
  directory "${folder}";
  listen-on port ${port} { 127.0.0.1; };
  listen-on-v6 { none; };
  pid-file none;
  recursion no;
  dnssec-validation no;
  check-names primary ignore;
  notify no;
};
controls {};
${zones.map((zone) => `zone "${zone}" { type primary; file "${zone}"; check-integrity no; };`).join('\n')}
`,
    ['-g', '-n', '1', '-c', `${folder}/config`],
  ],
};

/** Debian's packages whose names differ from their programs. */
const PACKAGES: Readonly<Partial<Record<ForeignName, string>>> = { knotd: 'knot', named: 'bind9' };

/** Returns whether a Debian nameserver is installed; a line reports a missing one. */
export function hasForeignServer(name: ForeignName): boolean {
  if (spawnSync(name, ['-h']).error === undefined) return true;
  process.stderr.write(`SKIPPED (no ${name}; Debian's package ${PACKAGES[name] ?? name} has it)\n`);
  return false;
}

/** A nameserver of another project. */
export class ForeignServer {
  readonly address: NameserverAddress;
  readonly #process: ChildProcess;
  readonly #folder: string;

  private constructor(process: ChildProcess, port: number, folder: string) {
    this.#process = process;
    this.address = { host: '127.0.0.1', port };
    this.#folder = folder;
  }

  /** Starts a server with zones from text, by name. */
  static async start(
    name: ForeignName,
    zones: ReadonlyMap<string, string>,
  ): Promise<ForeignServer> {
    const folder = mkdtempSync(join(tmpdir(), `zonewright-${name}-`));
    const port = await freePort();
    const [config, args] = SERVERS[name](folder, port, [...zones.keys()]);
    writeFileSync(join(folder, 'config'), config);
    for (const [zone, text] of zones) writeFileSync(join(folder, zone), text);
    // BIND writes too much to its standard error.
    const stderr = name === 'named' ? 'ignore' : 'inherit';
    const child = spawn(name, args, { stdio: ['ignore', 'inherit', stderr] });
    const server = new ForeignServer(child, port, folder);
    await waitFor(async () => child.exitCode !== null || (await isListening(port)));
    return server;
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

async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
