// `npm run verify`: format, lint, types (sources, tests), unused code. The first job of CI is the same.
import { readdirSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, binary, build, ensureInstalled, run } from './install.mjs';

ensureInstalled();
const node = (title, ...args) => {
  console.log(`\n== ${title}`);
  run(process.execPath, args);
};

node('format', binary('prettier'), '--check', '--log-level', 'warn', '.');
console.log('\n== types');
build();
for (const name of readdirSync(join(ROOT, 'packages'))) {
  const project = join('packages', name, 'tsconfig.test.json');
  if (existsSync(join(ROOT, project)))
    node(`types of ${name}'s tests`, binary('typescript', 'tsc'), '-p', project);
}
node('lint', '--max-old-space-size=4096', binary('eslint'), '.', '--max-warnings', '0');
node('unused code', binary('knip'), '--no-config-hints');
console.log('\nverify: all checks passed');
