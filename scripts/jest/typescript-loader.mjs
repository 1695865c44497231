// Lets Node run the sources: a package's export under the condition '@zonewright/source', `./x.js` as `./x.ts`, and
// TypeScript with its types blanked out, so that lines and columns stay what they are. Node 20 cannot do that itself.
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { transformSync } from '@swc/wasm-typescript';

const GLOBALS = new URL('globals.mjs', import.meta.url).href;

export async function resolve(specifier, context, next) {
  if (specifier === '@jest/globals') return { url: GLOBALS, shortCircuit: true };
  if (isTypeScript(context.parentURL) && /^\.{1,2}\/.*\.js$/.test(specifier)) {
    return await next(specifier.replace(/js$/, 'ts'), context);
  }
  const conditions = ['@zonewright/source', ...context.conditions];
  return await next(specifier, { ...context, conditions });
}

export async function load(url, context, next) {
  if (!isTypeScript(url)) return await next(url, context);
  const source = await readFile(fileURLToPath(url), 'utf8');
  const { code } = transformSync(source, { mode: 'strip-only' });
  return { format: 'module', source: code, shortCircuit: true };
}

function isTypeScript(url) {
  return url !== undefined && /^file:[^?]*\.ts(\?|$)/.test(url);
}
