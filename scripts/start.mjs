// `npm start` runs the whole platform on this machine and needs only Node. packages/dev-stack does the work in this same process, so that signals reach it directly.
import { build, ensureInstalled, requireOpenFiles } from './install.mjs';

requireOpenFiles();
ensureInstalled();
build();
await import('../packages/dev-stack/dist/main.js');
