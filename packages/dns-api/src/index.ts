export { DnsApiService, type DnsApiOverrides } from './service.js';
export { DNS_API_SETTINGS, type DnsApiSettings } from './settings/settings.js';
export { type TokenValidator } from './access/token-validator.js';
