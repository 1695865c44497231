// Exports of the compiled packages that the benchmark uses. It is not part of any package.
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const packages = new URL('../../packages/', import.meta.url);
const fromDatabase = createRequire(new URL('database/package.json', packages));

export const pg = fromDatabase('pg');
export const database = await import(new URL('database/dist/index.js', packages));
export const devStack = await import(new URL('dev-stack/dist/index.js', packages));
export const accounts = await import(new URL('accounts/dist/index.js', packages));
export const adminCli = await import(new URL('admin-cli/dist/index.js', packages));
export const serviceKit = await import(new URL('service-kit/dist/index.js', packages));

/** Imports a module of the DNS API that its package does not export. */
export const dnsApiModule = async (path) => await import(new URL(`dns-api/dist/${path}`, packages));

/** Returns the path of a service's program. */
export const mainOf = (name) => fileURLToPath(new URL(`${name}/dist/main.js`, packages));
