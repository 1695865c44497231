import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

type Environment = Readonly<Record<string, string>>;

function programFile(name: string): string {
  return fileURLToPath(new URL(`../../../${name}/dist/main.js`, import.meta.url));
}

/** Compiled service in a separate process, with only the given variables. */
export class ServiceProcess {
  readonly #child: ChildProcess;
  readonly addresses: Readonly<Record<string, string>>;
  readonly #output: () => string;

  private constructor(
    child: ChildProcess,
    addresses: Readonly<Record<string, string>>,
    output: () => string,
  ) {
    this.#child = child;
    this.addresses = addresses;
    this.#output = output;
  }

  /** Output so far. */
  get output(): string {
    return this.#output();
  }

  /** Starts the service and waits until it is ready. */
  static async start(
    name: 'identity-service' | 'dns-api' | 'nameserver',
    env: Environment,
  ): Promise<ServiceProcess> {
    const child = spawn(process.execPath, [programFile(name)], {
      env: { LOG_LEVEL: 'warn', ...env },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk: Buffer) => (output += chunk.toString()));
    }
    const ended = once(child, 'exit').then(() => {
      throw new Error(`${name} ended: ${output}`);
    });
    const ready = once(child, 'message') as Promise<[{ addresses: Record<string, string> }]>;
    const [message] = await Promise.race([ready, ended]);
    ended.catch(() => undefined);
    return new ServiceProcess(child, message.addresses, () => output);
  }

  /**
   * Sends SIGTERM as a container engine does. Resolves with the exit code when it has ended and all output was read.
   */
  async stop(): Promise<number | null> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) {
      return this.#child.exitCode;
    }
    const closed = once(this.#child, 'close') as Promise<[number | null]>;
    this.#child.kill('SIGTERM');
    return (await closed)[0];
  }
}

export interface AdminResult {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the compiled admin-cli until it exits, whether or not it succeeds. */
export async function runAdmin(
  args: readonly string[],
  env: Environment,
  stdin = '',
): Promise<AdminResult> {
  const child = spawn(process.execPath, [programFile('admin-cli'), ...args], { env });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  // A program that ends before it has read its input closes the pipe, which is not an error of the test.
  child.stdin.on('error', () => undefined);
  child.stdin.end(stdin);
  const [exitCode] = (await once(child, 'close')) as [number | null];
  return { exitCode, stdout, stderr };
}

/** Returns the JSON output of a command, which must succeed. */
export async function adminJson<T>(
  args: readonly string[],
  env: Environment,
  stdin = '',
): Promise<T> {
  const { exitCode, stdout, stderr } = await runAdmin([...args, '--json'], env, stdin);
  if (exitCode !== 0) throw new Error(`${args.join(' ')} ended with ${exitCode ?? -1}: ${stderr}`);
  return JSON.parse(stdout) as T;
}
