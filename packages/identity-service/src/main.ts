import { readSettings, runService } from '@zonewright/service-kit';
import { IdentityService } from './service.js';
import { IDENTITY_SERVICE_SETTINGS } from './settings.js';

await runService('identity-service', () =>
  IdentityService.create(readSettings(IDENTITY_SERVICE_SETTINGS, process.env)),
);
