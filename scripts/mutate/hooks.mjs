// Hooks with which Node loads the workspace again for each test file, with a fault in one of its sources
// (scripts/mutate.mjs). No file is changed: the fault exists only in the process that runs the tests.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import swc from '@swc/wasm-typescript';

const SOURCE = /\/packages\/[^/]+\/src\/.*\.ts$/;

/** The runner writes the current fault into this file. */
let chosen;

export function initialize(path) {
  chosen = path;
}

export async function resolve(specifier, context, next) {
  const resolved = await next(specifier, context);
  const file = (context.parentURL ?? '').match(/\?file=\d+$/)?.[0] ?? '';
  return SOURCE.test(resolved.url) ? { ...resolved, url: resolved.url + file } : resolved;
}

export async function load(url, context, next) {
  const { path, start, end, text } = JSON.parse(readFileSync(chosen, 'utf8'));
  if (path === undefined || url.replace(/\?.*/, '') !== `file://${path}`) return next(url, context);
  const typed = readFileSync(fileURLToPath(url), 'utf8');
  const faulty = typed.slice(0, start) + text + typed.slice(end);
  const source = swc.transformSync(faulty, { mode: 'strip-only', module: true }).code;
  return { format: 'module', source, shortCircuit: true };
}
