// Programs that the benchmark starts. Each ends when its IPC channel closes.
import { spawn } from 'node:child_process';
import { once } from 'node:events';

export class Child {
  #process;

  /** Starts a command. Resolves with its first message. */
  static async start([command, ...args], env = {}) {
    const child = new Child();
    child.#process = spawn(command, args, {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    child.ready = await child.#message();
    return child;
  }

  /** Sends a message and resolves with the reply. */
  async ask(question) {
    this.#process.send(question);
    return await this.#message();
  }

  get pid() {
    return this.#process.pid;
  }

  async stop() {
    if (this.#process.exitCode !== null) return;
    const exit = once(this.#process, 'exit');
    this.#process.disconnect();
    await exit;
  }

  #message() {
    return new Promise((resolve, reject) => {
      const fail = (code) => {
        reject(new Error(`${this.#process.spawnargs.join(' ')} ended with ${code}`));
      };
      this.#process.once('exit', fail);
      this.#process.once('message', (message) => {
        this.#process.off('exit', fail);
        resolve(message);
      });
    });
  }
}

/** Options that store a CPU profile of each service in the folder of BENCH_PROFILE. */
export function profileOptions() {
  const folder = process.env.BENCH_PROFILE;
  return folder === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${folder}`];
}
