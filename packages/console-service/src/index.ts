export { ConsoleService } from './service.js';
export { CONSOLE_SETTINGS, type ConsoleSettings } from './context/settings.js';
