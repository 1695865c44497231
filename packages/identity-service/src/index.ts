export { IdentityService, type IdentityServiceOverrides } from './service.js';
export { IDENTITY_SERVICE_SETTINGS, type IdentitySettings } from './context/settings.js';
