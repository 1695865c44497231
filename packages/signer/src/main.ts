import { readSettings, reportMisspelled, runService } from '@zonewright/service-kit';
import { SignerService } from './service.js';
import { SIGNER_SETTINGS } from './settings/settings.js';

await runService('signer', () => {
  const settings = readSettings(SIGNER_SETTINGS, process.env);
  reportMisspelled('signer', settings.logLevel, SIGNER_SETTINGS, process.env);
  return SignerService.create(settings);
});
