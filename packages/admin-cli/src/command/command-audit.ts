import { randomUUID } from 'node:crypto';
import { appendFileSync, mkdirSync } from 'node:fs';
import { hostname, userInfo } from 'node:os';
import { isAbsolute, join } from 'node:path';
import type { Writable } from 'node:stream';
import { createLogger, type Logger, readSettings, SettingsError } from '@zonewright/service-kit';
import type { Command } from 'commander';
import { EXIT } from '@zonewright/terminal';
import { ADMIN_SETTINGS } from '../settings/settings.js';
import { PROGRAM } from './operator-command.js';

/** Parts of the process that the audit uses. */
interface AuditHost {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stderr: Writable;
}

/** Commands that change nothing. All others are audited, so that a new one is, too. */
const LOOKING = new Set([
  'doctor',
  'list',
  'show',
  'show-domain',
  'assignments',
  'activations',
  'generate',
]);

/** User id of all operator commands in the journal of zones (dns.zone_changes). */
const OPERATOR = 'operator';

/** The line of the audit log for a command that changes something (docs/operations/logs-and-traces.md). */
export class CommandAudit {
  /** Request id of an import's changes in the journal of zones. */
  readonly requestId = `admin-${randomUUID()}`;
  readonly #host: AuditHost;
  #log: Logger | undefined;
  #facts: object = {};

  constructor(host: AuditHost) {
    this.#host = host;
  }

  /**
   * Logs the start of a command.
   * @throws SettingsError if the line cannot be written; then nothing is changed
   */
  begin(command: Command): void {
    if (LOOKING.has(command.name())) return;
    const { file, operator } = readSettings(ADMIN_SETTINGS.audit, this.#host.env);
    this.#log = createLogger(PROGRAM, 'info', this.#output(file));
    // If the reader of the output has gone, the process ends. The changes of the command remain, so they are logged.
    process.once('exit', this.#endUnfinished);
    this.#facts = {
      event: nameOf(command),
      requestId: this.requestId,
      source: hostname(),
      userId: OPERATOR,
      account: `os ${operator ?? systemUser(this.#host.env)}`,
      // The arguments can be logged, because secrets are never passed as arguments.
      arguments: command.args,
      options: command.opts(),
    };
  }

  /** Standard error is for people if it is a terminal, and for a log otherwise. */
  #output(file: string | undefined): { write(line: string): unknown } {
    const { stderr } = this.#host;
    if (file !== undefined) return toFile(file, stderr);
    const isTerminal = (stderr as Writable & { readonly isTTY?: boolean }).isTTY === true;
    return (isTerminal ? toStateFile(this.#host) : undefined) ?? stderr;
  }

  /** Records the id of the object that the command created or changed. */
  noteResult(row: unknown): void {
    const { id } = (row ?? {}) as { id?: unknown };
    if (typeof id === 'string') this.#facts = { ...this.#facts, id };
  }

  /** Logs the outcome of the command. */
  end(exitCode: number): void {
    this.#log?.info({ ...this.#facts, outcome: outcomeOf(exitCode), status: exitCode }, 'audit');
    this.#log = undefined;
    process.off('exit', this.#endUnfinished);
  }

  readonly #endUnfinished = (): void => {
    this.end(EXIT.unavailable);
  };
}

/** If the connection to PostgreSQL breaks, it is unknown whether the change was made. */
function outcomeOf(exitCode: number): 'success' | 'failure' | 'unknown' {
  if (exitCode === EXIT.ok) return 'success';
  return exitCode === EXIT.unavailable ? 'unknown' : 'failure';
}

/** Returns the full name of a command, such as `access-key create`. */
function nameOf(command: Command): string {
  const { parent } = command;
  return parent?.parent ? `${parent.name()} ${command.name()}` : command.name();
}

/**
 * Returns the user's log file, whose path follows the XDG base directory specification; undefined if its folder cannot
 * be created.
 */
function toStateFile({ env, stderr }: AuditHost): { write(line: string): void } | undefined {
  const state = env['XDG_STATE_HOME'] || (env['HOME'] && join(env['HOME'], '.local', 'state'));
  if (!state || !isAbsolute(state)) return undefined;
  const folder = join(state, 'zonewright');
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return toFile(join(folder, 'audit.log'), stderr);
  } catch {
    return undefined;
  }
}

function toFile(path: string, stderr: Writable): { write(line: string): void } {
  const append = (text: string) => {
    appendFileSync(path, text, { mode: 0o600 });
  };
  try {
    append('');
  } catch (failure) {
    throw new SettingsError([
      `ADMIN_AUDIT_FILE cannot be written (${codeOf(failure)}), so nothing was changed`,
    ]);
  }
  return {
    write(line) {
      try {
        append(line);
      } catch (failure) {
        // The disk may be full. The command has been performed, so the line is written to standard error.
        stderr.write(
          `The audit file ${path} could not be written (${codeOf(failure)}). Its line:\n${line}`,
        );
      }
    },
  };
}

function codeOf(failure: unknown): string {
  return (failure as NodeJS.ErrnoException).code ?? '';
}

/** Returns the user who called the command, with sudo the original one. A user of a container may have no name. */
function systemUser(env: AuditHost['env']): string {
  if (env['SUDO_USER'] !== undefined) return env['SUDO_USER'];
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.());
  }
}
