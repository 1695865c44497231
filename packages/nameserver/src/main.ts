import { readSettings, reportMisspelled, runService } from '@zonewright/service-kit';
import { NameserverService } from './service.js';
import { NAMESERVER_SETTINGS } from './settings/settings.js';

await runService('nameserver', () => {
  const settings = readSettings(NAMESERVER_SETTINGS, process.env);
  reportMisspelled('nameserver', settings.logLevel, NAMESERVER_SETTINGS, process.env);
  return NameserverService.create(settings);
});
