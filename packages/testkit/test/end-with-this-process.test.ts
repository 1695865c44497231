import { expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { waitFor } from '../src/index.js';

const MODULE = fileURLToPath(new URL('../dist/end-with-this-process.js', import.meta.url));
/** Starts one child that ends by itself, and two that do not; says their numbers. */
const PARENT = `
  import { spawn } from 'node:child_process';
  import { once } from 'node:events';
  import { endWithThisProcess } from ${JSON.stringify(MODULE)};
  const start = (...args) => {
    const child = spawn(args[0], args.slice(1), { detached: true, stdio: 'ignore' });
    endWithThisProcess(child, 'TERM');
    return child;
  };
  const [short, ...long] = [start('true'), start('sleep', '600'), start('sleep', '601')];
  await once(short, 'exit');
  console.log(JSON.stringify(long.map(({ pid }) => pid)));
  setInterval(() => {}, 1000);`;

it('children end with a process that is killed', async () => {
  const parent = spawn(process.execPath, ['--input-type=module', '-e', PARENT], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(parent.stdout, 'data')) as [Buffer];
  const pids = JSON.parse(line.toString()) as number[];
  expect(pids.map(isRunning)).toEqual([true, true]);
  parent.kill('SIGKILL');
  await waitFor(() => !pids.some(isRunning));
});

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
