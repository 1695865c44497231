import { expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const MODULE = fileURLToPath(new URL('../dist/end-with-this-process.js', import.meta.url));
/** Starts one child that ends by itself, and two that do not; all of them keep its output open. */
const PARENT = `
  import { spawn } from 'node:child_process';
  import { once } from 'node:events';
  import { endWithThisProcess } from ${JSON.stringify(MODULE)};
  const start = (...args) => {
    const child = spawn(args[0], args.slice(1), { detached: true, stdio: ['ignore', 'inherit', 'ignore'] });
    endWithThisProcess(child, 'TERM');
    return child;
  };
  const [short] = [start('sh', '-c', ':'), start('sleep', '600'), start('sleep', '601')];
  await once(short, 'exit');
  console.log('started');
  setInterval(() => {}, 1000);`;

it('children end with a killed process', async () => {
  const parent = spawn(process.execPath, ['--input-type=module', '-e', PARENT], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(parent.stdout, 'data')) as [Buffer];
  expect(line.toString()).toBe('started\n');
  const ended = once(parent.stdout, 'end');
  parent.kill('SIGKILL');
  await ended;
});
