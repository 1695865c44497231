// `npm start`: the whole platform on this machine, with nothing but Node. The work is done by
// packages/dev-stack, in this same process, so that a signal reaches it without detours.
import { build, ensureInstalled, requireOpenFiles } from './install.mjs';

requireOpenFiles();
ensureInstalled();
build();
await import('../packages/dev-stack/dist/main.js');
