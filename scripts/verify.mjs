// `npm run verify`: format, boundaries, bounds, plain words, sizes, types (sources, tests), the generated reference, documents and manifests,
// lint, unused code. The first job of CI runs the same checks.
import { binary, build, ensureInstalled, run } from './install.mjs';

ensureInstalled();
const node = (title, ...args) => {
  console.log(`\n== ${title}`);
  run(process.execPath, args);
};

node('format', binary('oxfmt'), '--check');
node('boundaries', 'scripts/boundaries.mjs');
node('bounds', 'scripts/bounds.mjs');
node('plain words', 'scripts/plain-words.mjs', '--check');
node('sizes', 'scripts/sizes.mjs', '--check');
const types = (title, folder) =>
  node(title, binary('typescript-native', 'tsc'), '--project', folder);
types('types', '.');
// These run in browsers, and know nothing of Node.
types('types of the client', 'packages/client');
types('types of the console', 'packages/console');
build();
node('reference', 'scripts/write-reference.mjs', '--check');
// `packages/*/test/**/*.check.ts`: whether documents, manifests and lists say what the code does.
node('texts', binary('jest'), '--runInBand', '--config', 'scripts/jest/checks.config.mjs');
node('lint', binary('oxlint'), '--deny-warnings');
node('unused code', binary('knip'), '--no-config-hints');
console.log('\nverify: all checks passed');
