import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PROJECT } from '../support/running-platform.js';

export const PROGRAM = join(PROJECT, 'packages/cli/dist/main.js');

/** User's machine with a separate home, in which `zonewright` stores its files, and a working folder. */
export class Person {
  readonly home: string;

  private constructor(home: string) {
    this.home = home;
  }

  static async create(): Promise<Person> {
    return new Person(await mkdtemp(join(tmpdir(), 'zonewright-person-')));
  }

  /** Types a line into a shell. @returns the text on the screen, and the exit code unless it is 0 */
  async type(line: string, env: Readonly<Record<string, string>> = {}): Promise<string> {
    const child = spawn(
      'bash',
      ['-c', `exec 2>&1; zonewright() { "$NODE" "$PROGRAM" "$@"; }\n${line}`],
      {
        cwd: this.home,
        stdio: ['ignore', 'pipe', 'inherit'],
        env: {
          PATH: process.env['PATH'],
          HOME: this.home,
          NODE: process.execPath,
          PROGRAM,
          ...env,
        },
      },
    );
    let screen = '';
    child.stdout.on('data', (chunk: Buffer) => (screen += chunk.toString()));
    const [code] = (await once(child, 'close')) as [number | null];
    return code === 0 ? screen : `${screen}[${code ?? 'killed'}]\n`;
  }

  async leave(): Promise<void> {
    await rm(this.home, { recursive: true, force: true });
  }
}
