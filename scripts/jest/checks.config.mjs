// Of `npm run verify`: what is written as tests and reads files of this project alone.
import { fileURLToPath } from 'node:url';
import config from '../../jest.config.js';

const projects = config.projects.map((project) => ({
  ...project,
  testMatch: ['<rootDir>/test/**/*.check.ts'],
}));

const rootDir = fileURLToPath(new URL('../..', import.meta.url));

export default { ...config, rootDir, projects };
