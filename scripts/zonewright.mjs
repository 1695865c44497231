// `./zonewright COMMAND` runs the command of packages/cli, and compiles it first if one of its sources is newer. It runs in this same process, so that file names are relative to the user's folder and Ctrl-C reaches it directly.
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, build, ensureInstalled } from './install.mjs';

const program = join(ROOT, 'packages/cli/dist/main.js');
const builtAt = existsSync(program) ? statSync(program).mtimeMs : 0;
const isOld = ['cli', 'client', 'terminal'].some((name) => {
  const source = join(ROOT, 'packages', name, 'src');
  return readdirSync(source, { recursive: true }).some(
    (file) => statSync(join(source, file)).mtimeMs > builtAt,
  );
});
if (isOld) {
  ensureInstalled();
  build();
}
await import('../packages/cli/dist/main.js');
