// Checks of `npm run verify` that are written as tests and read only files of this project.
import { fileURLToPath } from 'node:url';
import config from '../../jest.config.js';

const projects = config.projects.map((project) => ({
  ...project,
  testMatch: ['<rootDir>/test/**/*.check.ts'],
}));

const rootDir = fileURLToPath(new URL('../..', import.meta.url));

export default { ...config, rootDir, projects };
