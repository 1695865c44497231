import { readSettings, runService } from '@zonewright/service-kit';
import { NameserverService } from './service.js';
import { NAMESERVER_SETTINGS } from './settings.js';

await runService('nameserver', () =>
  NameserverService.create(readSettings(NAMESERVER_SETTINGS, process.env)),
);
