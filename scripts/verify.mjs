// `npm run verify` checks the format, boundaries, bounds, expressions, plain words, sizes, types (of sources and tests), the generated reference, documents and manifests, lint and unused code. The first job of CI runs the same checks.
import { binary, build, ensureInstalled, run } from './install.mjs';

ensureInstalled();
const node = (title, ...args) => {
  console.log(`\n== ${title}`);
  run(process.execPath, args);
};

node('format', binary('oxfmt'), '--check');
node('boundaries', 'scripts/boundaries.mjs');
node('bounds', 'scripts/bounds.mjs');
node('expressions', 'scripts/expressions.mjs');
node('plain words', 'scripts/plain-words.mjs', '--check');
node('sizes', 'scripts/sizes.mjs', '--check');
const types = (title, folder) =>
  node(title, binary('typescript-native', 'tsc'), '--project', folder);
types('types', '.');
// These packages run in browsers and must not use Node's types.
types('types of the client', 'packages/client');
types('types of the console', 'packages/console');
build();
node('reference', 'scripts/write-reference.mjs', '--check');
// `packages/*/test/**/*.check.ts` check that documents, manifests and lists agree with the code.
node('texts', binary('jest'), '--runInBand', '--config', 'scripts/jest/checks.config.mjs');
node('lint', binary('oxlint'), '--deny-warnings');
node('unused code', binary('knip'), '--no-config-hints');
console.log('\nverify: all checks passed');
