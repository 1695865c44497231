import { existsSync, readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';

const packages = fileURLToPath(new URL('packages/', import.meta.url));
const jestFolder = fileURLToPath(new URL('scripts/jest/', import.meta.url));

/** One project for each package: sources are run as they stand, types are checked by `tsc`. */
const project = (name) => ({
  displayName: name,
  rootDir: `${packages}${name}`,
  testMatch: ['<rootDir>/{src,test,conformance}/**/*.test.ts'],
  runtime: `${jestFolder}runtime.cjs`,
  testEnvironment: `${jestFolder}environment.mjs`,
  // Node loads them (typescript-loader.mjs).
  transform: {},
});

export default {
  projects: readdirSync(packages)
    .filter((name) => existsSync(`${packages}${name}/package.json`))
    .map(project),
  // They wait for PostgreSQL and for what they started, which also needs a place to run.
  maxWorkers: Math.min(availableParallelism(), 4),
  testTimeout: 20_000,
  workerIdleMemoryLimit: '1GB',
};
