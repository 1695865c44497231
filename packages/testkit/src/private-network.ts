import { type ChildProcess, execFile, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readlinkSync } from 'node:fs';
import { promisify } from 'node:util';

/** Below 10.128.0.0/9, by the number of this process: no two tests on a machine have the same. */
const FIRST_OCTET = 10;
const SWITCH = 'hosts';

/**
 * Hosts of a test's own: network namespaces on one switch, to which this process is connected, too. They end with this process, in
 * whatever way it ends.
 */
export class PrivateNetwork {
  readonly #switch: ChildProcess;
  readonly #prefix: string;
  readonly #uplink = `zw${process.pid}`;
  readonly hosts: PrivateHost[] = [];

  private constructor(holder: ChildProcess) {
    this.#switch = holder;
    const [high, low] = [(process.pid >> 8) & 127, process.pid & 255];
    this.#prefix = `${FIRST_OCTET}.${128 + high}.${low}`;
  }

  /** Only root may make namespaces, and not in every container. */
  static isPossible(): boolean {
    const probe = ['--net', '--mount', 'ip', 'link', 'add', SWITCH, 'type', 'bridge'];
    return process.getuid?.() === 0 && spawnSync('unshare', probe).status === 0;
  }

  static async start(count: number): Promise<PrivateNetwork> {
    const network = new PrivateNetwork(await holdNamespaces());
    network.#layOut();
    for (let number = 1; number <= count; number += 1) await network.#addHost(number);
    return network;
  }

  /** Address of this process, as the hosts see it. */
  get address(): string {
    return `${this.#prefix}.254`;
  }

  async stop(): Promise<void> {
    for (const host of this.hosts) host.signal('SIGKILL');
    run('ip', 'link', 'delete', this.#uplink);
    await Promise.all([...this.hosts.map((host) => host.remove()), release(this.#switch)]);
  }

  #layOut(): void {
    const { pid } = this.#switch;
    runAt(pid, 'ip', 'link', 'add', SWITCH, 'type', 'bridge');
    runAt(pid, 'ip', 'link', 'set', SWITCH, 'up');
    const peer = ['type', 'veth', 'peer', 'name', 'outside', 'netns', String(pid)];
    run('ip', 'link', 'add', this.#uplink, ...peer);
    run('ip', 'address', 'add', `${this.address}/24`, 'dev', this.#uplink);
    run('ip', 'link', 'set', this.#uplink, 'up');
    runAt(pid, 'ip', 'link', 'set', 'outside', 'master', SWITCH, 'up');
  }

  async #addHost(number: number): Promise<void> {
    const holder = await holdNamespaces();
    const [pid, port] = [this.#switch.pid, `port${number}`];
    const peer = ['type', 'veth', 'peer', 'name', 'eth0', 'netns', String(holder.pid)];
    runAt(pid, 'ip', 'link', 'add', port, ...peer);
    runAt(pid, 'ip', 'link', 'set', port, 'master', SWITCH, 'up');
    const address = `${this.#prefix}.${number}`;
    runAt(holder.pid, 'ip', 'address', 'add', `${address}/24`, 'dev', 'eth0');
    for (const device of ['lo', 'eth0']) runAt(holder.pid, 'ip', 'link', 'set', device, 'up');
    const setPort = (state: 'up' | 'down') => {
      runAt(pid, 'ip', 'link', 'set', port, state);
    };
    this.hosts.push(new PrivateHost(address, holder, setPort));
  }
}

/** One of them: its network is its own, and so are its mounts. */
export class PrivateHost {
  readonly address: string;
  readonly #holder: ChildProcess;
  readonly #setPort: (state: 'up' | 'down') => void;

  constructor(address: string, holder: ChildProcess, setPort: (state: 'up' | 'down') => void) {
    this.address = address;
    this.#holder = holder;
    this.#setPort = setPort;
  }

  /** The command that runs a program there. */
  inside(
    program: string,
    args: readonly string[],
    { uid, gid }: { uid?: number; gid?: number } = {},
  ): [string, ...string[]] {
    const user = uid === undefined ? [] : [`--setuid=${uid}`, `--setgid=${gid ?? uid}`];
    return ['nsenter', ...entering(this.#holder.pid), ...user, '--', program, ...args];
  }

  /** Runs a program there to its end, which must be a good one, and returns what it printed. */
  run(program: string, ...args: string[]): string {
    return runAt(this.#holder.pid, program, ...args);
  }

  /** The same, while the event loop goes on: whoever asks something meanwhile hears the answer. */
  async runAside(program: string, ...args: string[]): Promise<string> {
    const [command, ...rest] = this.inside(program, args);
    return (await promisify(execFile)(command, rest)).stdout;
  }

  /** To all its processes. */
  signal(signal: NodeJS.Signals): void {
    for (const pid of this.#processes()) {
      try {
        process.kill(pid, signal);
      } catch {
        // It has ended meanwhile.
      }
    }
  }

  /** Takes it off the switch: whatever is sent to it or by it is lost without a word. */
  cut(): void {
    this.#setPort('down');
  }

  /** Loses what it sends to these; what they send arrives, and is answered to nobody. */
  cutFrom(...others: readonly PrivateHost[]): void {
    for (const { address } of others) this.run('ip', 'route', 'replace', 'blackhole', address);
  }

  /** Undoes both. */
  mend(): void {
    this.#setPort('up');
    this.run('ip', 'route', 'flush', 'type', 'blackhole');
  }

  async remove(): Promise<void> {
    await release(this.#holder);
  }

  #processes(): number[] {
    const own = networkOf(this.#holder.pid);
    return readdirSync('/proc')
      .filter((entry) => /^\d+$/.test(entry))
      .map(Number)
      .filter((pid) => pid !== this.#holder.pid && networkOf(pid) === own);
  }
}

/** A process that holds new namespaces until this process lets go of its input, or is gone. */
async function holdNamespaces(): Promise<ChildProcess> {
  const holder = spawn('unshare', ['--net', '--mount', 'sh', '-c', 'echo; exec cat'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  await once(holder.stdout, 'data');
  return holder;
}

async function release(holder: ChildProcess): Promise<void> {
  const ended = once(holder, 'exit');
  holder.stdin?.end();
  await ended;
}

function entering(pid: number | undefined): string[] {
  return [`--target=${pid ?? 0}`, '--net', '--mount'];
}

function run(program: string, ...args: string[]): string {
  return execFileSync(program, args, { encoding: 'utf8' });
}

function runAt(pid: number | undefined, program: string, ...args: string[]): string {
  return run('nsenter', ...entering(pid), '--', program, ...args);
}

/** It may have ended since it was listed. */
function networkOf(pid: number | undefined): string | undefined {
  try {
    return readlinkSync(`/proc/${pid ?? 0}/ns/net`);
  } catch {
    return undefined;
  }
}
