export { NameserverService } from './service.js';
export { NAMESERVER_SETTINGS, type NameserverSettings } from './settings/settings.js';
