// Runs a development tool by name: `node scripts/run.mjs oxlint`
import { binary, ensureInstalled, run } from './install.mjs';

ensureInstalled();
const [tool, ...args] = process.argv.slice(2);
run(process.execPath, [binary(tool), ...args]);
