export { startTestEnvironment, type TestEnvironment } from './testing/test-environment.js';
