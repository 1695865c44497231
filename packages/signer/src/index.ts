export { SignerService, type SignerOverrides } from './service.js';
export { SIGNER_SETTINGS } from './settings/settings.js';
