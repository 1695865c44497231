// Hooks with which Node loads TypeScript: they load the workspace's sources instead of the compiled files, and remove
// the types.
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import swc from '@swc/wasm-typescript';

/**
 * These modules are loaded again for each test file: they call describe, beforeAll and the like, or keep the state of
 * one file.
 */
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

/** Caches sources without their types, because many test files load the same ones. */
const stripped = new Map();

async function strip(path) {
  if (!stripped.has(path)) {
    const typed = await readFile(path, 'utf8');
    stripped.set(path, swc.transformSync(typed, { mode: 'strip-only', module: true }).code);
  }
  return stripped.get(path);
}
