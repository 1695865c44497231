import { openTracing, readSettings, reportMisspelled, runService } from '@zonewright/service-kit';
import { ConsoleService } from './service.js';
import { CONSOLE_SETTINGS } from './context/settings.js';

await runService('console-service', async () => {
  const settings = readSettings(CONSOLE_SETTINGS, process.env);
  reportMisspelled('console-service', settings.logLevel, CONSOLE_SETTINGS, process.env);
  const tracing = await openTracing(settings.tracing, 'console-service');
  return ConsoleService.create(settings, { tracing });
});
