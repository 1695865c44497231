// `./zonewright COMMAND`: the command of packages/cli, compiled where a source of it is newer. In this very process: names of
// files are where its user stands, and Ctrl-C reaches it without detours.
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
