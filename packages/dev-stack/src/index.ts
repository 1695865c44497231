export { startTestEnvironment, type TestEnvironment } from './testing/test-environment.js';
export { START_SETTINGS } from './settings/settings.js';
