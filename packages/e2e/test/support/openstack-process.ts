import { endWithThisProcess } from '@zonewright/testkit';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { PYTHON } from './foreign-programs.js';
import { PROJECT } from './running-platform.js';

/** Exit code and output of a command. */
export interface Outcome {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `openstack` in one process for any number of commands, since each start takes seconds. */
export class OpenStackProcess {
  readonly #child;
  readonly #lines;

  /** @param env variables of all commands */
  constructor(env: Readonly<Record<string, string>>) {
    const script = join(PROJECT, 'packages/e2e/test/support/openstack-commands.py');
    this.#child = spawn(PYTHON, [script], {
      stdio: ['pipe', 'pipe', 'inherit'],
      env: { PATH: process.env['PATH'], HOME: '/nonexistent', ...env },
    });
    endWithThisProcess(this.#child, 'TERM');
    this.#lines = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]();
  }

  async run(args: readonly string[], env: Readonly<Record<string, string>>): Promise<Outcome> {
    this.#child.stdin.write(`${JSON.stringify({ args, env })}\n`);
    const line = await this.#lines.next();
    if (line.done === true) throw new Error('openstack-commands.py ended.');
    return JSON.parse(line.value) as Outcome;
  }

  async end(): Promise<void> {
    if (this.#child.exitCode !== null) return;
    const exited = once(this.#child, 'exit');
    this.#child.stdin.end();
    await exited;
  }
}
