import { openTracing, readSettings, reportMisspelled, runService } from '@zonewright/service-kit';
import { DnsApiService } from './service.js';
import { DNS_API_SETTINGS } from './settings/settings.js';

await runService('dns-api', async () => {
  const settings = readSettings(DNS_API_SETTINGS, process.env);
  reportMisspelled('dns-api', settings.logLevel, DNS_API_SETTINGS, process.env);
  const tracing = await openTracing(settings.tracing, 'dns-api');
  return DnsApiService.create(settings, { tracing });
});
