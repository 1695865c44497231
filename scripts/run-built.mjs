// Runs a compiled program of this workspace: `node scripts/run-built.mjs packages/admin-cli/dist/main.js --help`
import { build, ensureInstalled, run } from './install.mjs';

ensureInstalled();
build();
run(process.execPath, process.argv.slice(2));
