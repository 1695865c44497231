import { readSettings, runService } from '@zonewright/service-kit';
import { DnsApiService } from './service.js';
import { DNS_API_SETTINGS } from './settings.js';

await runService('dns-api', () =>
  DnsApiService.create(readSettings(DNS_API_SETTINGS, process.env)),
);
