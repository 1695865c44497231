import { Readable, Writable } from 'node:stream';
import { beforeAll } from '@jest/globals';
import { type Database, DATABASE_ROLES } from '@zonewright/database';
import { runCommandLine } from '../src/command-line.js';
import type { Host } from '../src/command/host.js';
import { bootstrap } from '../src/index.js';
import {
  BOOTSTRAP_OPTIONS,
  keyring,
  keyringText,
  useOperatorDatabase,
} from './use-operator-database.js';

export interface CommandResult {
  readonly exitCode: number;
  readonly stdout: string;
  /** The standard error without audit lines. */
  readonly stderr: string;
}

/** The result of a command that ran in this process. */
export interface AuditedResult extends CommandResult {
  readonly audit: readonly Record<string, unknown>[];
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Returns a host for commands that are only examined. It does not use this process, because a reference to its stdin
 * opens it.
 */
export function idleHost(): Host {
  return { env: {}, stdin: Readable.from([]), stdout: new Collector(), stderr: new Collector() };
}

/** Runs one command in this process. */
export async function runCommand(
  args: readonly string[],
  env: Environment = {},
  stdin = '',
  { isTerminal = false } = {},
): Promise<AuditedResult> {
  const stdout = new Collector();
  const stderr = Object.assign(new Collector(), { isTTY: isTerminal });
  const host = { env, stdin: Readable.from([Buffer.from(stdin)]), stdout, stderr };
  const exitCode = await runCommandLine(args, host);
  const lines = stderr.text.split(/(?<=\n)/);
  const isAudit = (line: string) => line.startsWith('{') && line.includes('"msg":"audit"');
  return {
    exitCode,
    stdout: stdout.text,
    stderr: lines.filter((line) => !isAudit(line)).join(''),
    audit: lines.filter(isAudit).map((line) => JSON.parse(line) as Record<string, unknown>),
  };
}

class Collector extends Writable {
  text = '';

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.text += chunk.toString();
    done();
  }
}

/** A bootstrapped installation and its command. */
export interface Installation {
  /** The database with the operator's rights. */
  readonly db: Database;
  readonly env: Environment;
  /** Runs a command line; a text in double quotes is one argument. */
  run(command: string, stdin?: string): Promise<CommandResult>;
  /** Runs a command that must succeed, and returns the object that it prints with --json. */
  json<T>(command: string, stdin?: string): Promise<T>;
  /** Returns rows as the owner of the schema sees them. */
  select<T>(statement: string): Promise<T[]>;
}

/** Creates a separate installation for the test file, with the options of BOOTSTRAP_OPTIONS. */
export function useInstallation(): Installation {
  const database = useOperatorDatabase();
  beforeAll(async () => {
    await bootstrap(database.db, keyring, BOOTSTRAP_OPTIONS);
  });
  return {
    get db() {
      return database.db;
    },
    get env() {
      return {
        DATABASE_URL: database.owner.urlAs(DATABASE_ROLES.operator),
        ENCRYPTION_KEYS: keyringText,
      };
    },
    async run(command, stdin) {
      const result = await runCommand(splitArguments(command), this.env, stdin);
      const { exitCode, stdout, stderr } = result;
      return { exitCode, stdout, stderr };
    },
    async json<T>(command: string, stdin?: string) {
      const { exitCode, stdout, stderr } = await this.run(`${command} --json`, stdin);
      if (exitCode !== 0) throw new Error(`${command} ended with ${exitCode}: ${stderr}`);
      return JSON.parse(stdout) as T;
    },
    async select<T>(statement: string) {
      const { rows } = await database.owner.db.raw<{ rows: T[] }>(statement);
      return rows;
    },
  };
}

/** Splits a text such as `user create "Alice A."` as a shell would. */
function splitArguments(command: string): string[] {
  return [...command.matchAll(/"([^"]*)"|\S+/g)].map(([word, quoted]) => quoted ?? word);
}
