import { existsSync, readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';

const packages = fileURLToPath(new URL('packages/', import.meta.url));
const leakCheckingEnvironment = fileURLToPath(
  new URL('scripts/leak-checking-environment.mjs', import.meta.url),
);

/** One project for each package: sources are run as they stand (swc), types are checked by `tsc`. */
const project = (name) => ({
  displayName: name,
  rootDir: `${packages}${name}`,
  testMatch: ['<rootDir>/{src,test,conformance}/**/*.test.ts'],
  testEnvironment: leakCheckingEnvironment,
  testEnvironmentOptions: {
    customExportConditions: ['@zonewright/source', 'node', 'node-addons'],
  },
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      { jsc: { target: 'es2022', parser: { syntax: 'typescript' } }, module: { type: 'es6' } },
    ],
  },
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
