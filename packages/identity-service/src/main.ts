import { openTracing, readSettings, reportMisspelled, runService } from '@zonewright/service-kit';
import { IdentityService } from './service.js';
import { IDENTITY_SERVICE_SETTINGS } from './context/settings.js';

await runService('identity-service', async () => {
  const settings = readSettings(IDENTITY_SERVICE_SETTINGS, process.env);
  reportMisspelled('identity-service', settings.logLevel, IDENTITY_SERVICE_SETTINGS, process.env);
  const tracing = await openTracing(settings.tracing, 'identity-service');
  return IdentityService.create(settings, { tracing });
});
