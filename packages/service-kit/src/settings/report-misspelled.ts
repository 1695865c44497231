import { createLogger, type LogLevel } from '../logging/logger.js';
import { findMisspelled } from './misspelled.js';
import { listSettings, type SettingsTree } from './read-settings.js';

/** One warning for each variable whose name is nearly that of a setting of this service. */
export function reportMisspelled(
  service: string,
  level: LogLevel,
  settings: SettingsTree,
  env: Readonly<Record<string, string | undefined>>,
): void {
  const known = new Set(
    listSettings(settings).flatMap(({ variable }) => [variable, `${variable}_FILE`]),
  );
  for (const { name, meant } of findMisspelled(env, known)) {
    createLogger(service, level).warn({ variable: name, meant }, 'nothing reads this variable');
  }
}
