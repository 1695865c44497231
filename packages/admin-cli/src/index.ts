export { bootstrap, type BootstrapOptions, type BootstrapResult } from './bootstrap/bootstrap.js';
export { ADMIN_SETTINGS } from './settings/settings.js';
