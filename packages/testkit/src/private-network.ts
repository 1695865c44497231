import { type ChildProcess, execFile, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readlinkSync } from 'node:fs';
import { promisify } from 'node:util';

/** Addresses below 10.128.0.0/9, by the id of this process, so that concurrent tests have different ones. */
const FIRST_OCTET = 10;
const SWITCH = 'hosts';

/**
 * Separate hosts for a test: network namespaces on one switch, to which this process is also connected. They end with
 * this process in any case.
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

  /** Whether namespaces can be created. Only root can do so, and not in every container. */
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

  /** Address of this process for the hosts. */
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

/** Host with a separate network and separate mounts. */
export class PrivateHost {
  readonly address: string;
  readonly #holder: ChildProcess;
  readonly #setPort: (state: 'up' | 'down') => void;

  constructor(address: string, holder: ChildProcess, setPort: (state: 'up' | 'down') => void) {
    this.address = address;
    this.#holder = holder;
    this.#setPort = setPort;
  }

  /** Returns the command that runs a program on the host. */
  inside(
    program: string,
    args: readonly string[],
    { uid, gid }: { uid?: number; gid?: number } = {},
  ): [string, ...string[]] {
    const user = uid === undefined ? [] : [`--setuid=${uid}`, `--setgid=${gid ?? uid}`];
    return ['nsenter', ...entering(this.#holder.pid), ...user, '--', program, ...args];
  }

  /** Runs a program on the host to its end, which must be successful, and returns its output. */
  run(program: string, ...args: string[]): string {
    return runAt(this.#holder.pid, program, ...args);
  }

  /**
   * Runs a program on the host like run(), but without blocking the event loop, so that concurrent requests get
   * responses.
   */
  async runAside(program: string, ...args: string[]): Promise<string> {
    const [command, ...rest] = this.inside(program, args);
    return (await promisify(execFile)(command, rest)).stdout;
  }

  /** Sends a signal to all processes of the host. */
  signal(signal: NodeJS.Signals): void {
    for (const pid of this.#processes()) {
      try {
        process.kill(pid, signal);
      } catch {
        // The process has already ended.
      }
    }
  }

  /** Disconnects the host from the switch: packets from and to it are lost. */
  cut(): void {
    this.#setPort('down');
  }

  /** Drops packets to these hosts. Packets from them arrive, but get no answer. */
  cutFrom(...others: readonly PrivateHost[]): void {
    for (const { address } of others) this.run('ip', 'route', 'replace', 'blackhole', address);
  }

  /** Undoes cut() and cutFrom(). */
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

/** Starts a process that holds new namespaces until this process closes its input, or ends. */
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

/** Returns the network of a process, which may have ended since it was listed. */
function networkOf(pid: number | undefined): string | undefined {
  try {
    return readlinkSync(`/proc/${pid ?? 0}/ns/net`);
  } catch {
    return undefined;
  }
}
