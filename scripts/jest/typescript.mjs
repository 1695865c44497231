// Hooks with which Node loads TypeScript: sources of the workspace instead of what was compiled, without their types.
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import swc from '@swc/wasm-typescript';

/** Loaded anew for each test file: it calls describe, beforeAll and the like, or keeps what belongs to one file. */
const OF_TESTS = /\/packages\/(testkit|[^/]+\/(test|conformance))\/.*\.ts$|\.test\.ts$/;
const GLOBALS = new URL('globals.mjs', import.meta.url).href;

export async function resolve(specifier, context, next) {
  const parent = context.parentURL ?? '';
  const file = parent.match(/\?file=\d+$/)?.[0] ?? '';
  if (specifier === '@jest/globals') return { url: GLOBALS + file, shortCircuit: true };
  const isRelative = specifier.startsWith('.') && /\.ts(\?|$)/.test(parent);
  const resolved = await next(isRelative ? specifier.replace(/\.js$/, '.ts') : specifier, {
    ...context,
    conditions: [...context.conditions, '@zonewright/source'],
  });
  return OF_TESTS.test(resolved.url) ? { ...resolved, url: resolved.url + file } : resolved;
}

export async function load(url, context, next) {
  if (!/\.ts(\?|$)/.test(url)) return next(url, context);
  return { format: 'module', source: await strip(fileURLToPath(url)), shortCircuit: true };
}

/** What many test files load is read once. */
const stripped = new Map();

async function strip(path) {
  if (!stripped.has(path)) {
    const typed = await readFile(path, 'utf8');
    stripped.set(path, swc.transformSync(typed, { mode: 'strip-only', module: true }).code);
  }
  return stripped.get(path);
}
