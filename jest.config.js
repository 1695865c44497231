import { existsSync, readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';

const packages = fileURLToPath(new URL('packages/', import.meta.url));
const runtime = fileURLToPath(new URL('scripts/jest/runtime.cjs', import.meta.url));
const testEnvironment = fileURLToPath(new URL('scripts/jest/environment.mjs', import.meta.url));

/** Returns the project of a package. Sources run directly; types are checked by `tsc`. */
const project = (name) => ({
  displayName: name,
  rootDir: `${packages}${name}`,
  testMatch: ['<rootDir>/{src,test,conformance}/**/*.test.ts'],
  testEnvironment,
  runtime,
  extensionsToTreatAsEsm: ['.ts'],
  transform: {},
});

export default {
  reporters: [
    'default',
    '<rootDir>/scripts/jest/overdue.mjs',
    '<rootDir>/scripts/jest/failed-files.mjs',
  ],
  testSequencer: fileURLToPath(new URL('scripts/jest/longest-first.mjs', import.meta.url)),
  projects: readdirSync(packages)
    .filter((name) => existsSync(`${packages}${name}/package.json`))
    .map(project),
  // Many tests wait for a timeout or a program. With only one more worker than processors, these were idle for a fifth
  // of the time.
  maxWorkers: Math.min(availableParallelism() + 2, 6),
  testTimeout: 60_000,
  workerIdleMemoryLimit: '1GB',
};
