import { readSettings, SettingsError, systemClock } from '@zonewright/service-kit';
import type { Command } from 'commander';
import { CommandEnd } from '@zonewright/terminal';
import type { Host } from '../command/host.js';
import { openOperatorDatabase } from '../command/session.js';
import { operatorCommand } from '../command/operator-command.js';
import { ADMIN_SETTINGS, type AdminSettings } from '../settings/settings.js';
import { examine } from './doctor.js';
import { error, type Finding, type Level, LEVELS, worstLevel } from './finding.js';

/** The timeout is long because decrypting all secrets of a large database takes several statements. */
const STATEMENT_TIMEOUT_MS = 30_000;

export function doctorCommand(host: Host): Command {
  return operatorCommand(
    'doctor',
    'check the whole installation and advise on each problem',
    'doctor',
    'doctor --json | jq \'.findings[] | select(.level != "ok")\'',
  ).action(async ({ json }: { json?: boolean }) => {
    const findings = await examineHost(host);
    const level = worstLevel(findings);
    host.stdout.write(
      json === true ? `${JSON.stringify({ level, findings }, undefined, 2)}\n` : render(findings),
    );
    const code = LEVELS.indexOf(level);
    if (code > 0) throw new CommandEnd(code);
  });
}

async function examineHost(host: Host): Promise<Finding[]> {
  let settings: AdminSettings;
  try {
    settings = readSettings(ADMIN_SETTINGS, host.env);
  } catch (failure) {
    if (!(failure instanceof SettingsError)) throw failure;
    const advice =
      'Set it as described in docs/reference/configuration.md; nothing else could be checked.';
    return failure.problems.map((problem) => error('configuration', problem, advice));
  }
  const db = openOperatorDatabase(settings, { statementTimeoutMs: STATEMENT_TIMEOUT_MS });
  try {
    return await examine({ settings, env: host.env, db, clock: systemClock });
  } finally {
    await db.destroy();
  }
}

function render(findings: readonly Finding[]): string {
  const width = Math.max(...findings.map(({ area }) => area.length));
  const lines = findings.flatMap(({ area, level, finding, advice }) => [
    `${level.padEnd('warning'.length)}  ${area.padEnd(width)}  ${finding}`,
    ...(advice === null ? [] : [`${' '.repeat('warning'.length + width + 4)}-> ${advice}`]),
  ]);
  return [...lines, summaryOf(findings), ''].join('\n').replaceAll(/[^\P{Cc}\n]/gu, '?');
}

function summaryOf(findings: readonly Finding[]): string {
  const count = (level: Level) => findings.filter((each) => each.level === level).length;
  const [warnings, errors] = [count('warning'), count('error')];
  if (warnings + errors === 0) return 'No problems found.';
  return `${errors} error${errors === 1 ? '' : 's'}, ${warnings} warning${warnings === 1 ? '' : 's'}.`;
}
