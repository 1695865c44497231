import { readFileSync } from 'node:fs';
import type { Setting } from './setting.js';

/** Tree of settings, nested by concern. */
export interface SettingsTree {
  readonly [name: string]: Setting<unknown> | SettingsTree;
}

/** Tree with the values of the settings. */
export type SettingsOf<T> = {
  readonly [K in keyof T]: T[K] extends Setting<infer V> ? V : SettingsOf<T[K]>;
};

/** Error with all problems of the environment. Each problem starts with the name of the variable. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.problems = problems;
  }
}

/**
 * Reads all settings of a tree from the environment, or from the files in `VARIABLE_FILE`. An empty variable counts as
 * unset.
 *
 * @throws SettingsError with every variable that is missing or malformed
 */
export function readSettings<T extends SettingsTree>(tree: T, env: Environment): SettingsOf<T> {
  const problems: string[] = [];
  const values = readTree(tree, env, problems);
  if (problems.length > 0) throw new SettingsError(problems);
  return values as SettingsOf<T>;
}

/** Returns every setting of a tree, in the order of declaration. */
export function listSettings(tree: SettingsTree): Setting<unknown>[] {
  return Object.values(tree).flatMap((node) => (isSetting(node) ? [node] : listSettings(node)));
}

function readTree(
  tree: SettingsTree,
  env: Environment,
  problems: string[],
): Readonly<Record<string, unknown>> {
  const entries = Object.entries(tree).map(([name, node]) => [
    name,
    isSetting(node) ? readOne(node, env, problems) : readTree(node, env, problems),
  ]);
  return Object.freeze(Object.fromEntries(entries) as Record<string, unknown>);
}

function readOne(setting: Setting<unknown>, env: Environment, problems: string[]): unknown {
  let text: string | undefined;
  try {
    text = readSettingText(setting.variable, env);
  } catch (error) {
    problems.push((error as Error).message);
    return undefined;
  }
  if (text === undefined) {
    if (setting.fallback === undefined) {
      problems.push(`${setting.variable} is not set: ${setting.help}`);
    }
    return setting.fallback?.value;
  }
  try {
    return setting.parse(text);
  } catch (error) {
    problems.push(`${setting.variable} ${problemText(setting, error)}`);
    return undefined;
  }
}

function problemText(setting: Setting<unknown>, error: unknown): string {
  // A parser's message may repeat the value, so secrets get a general message.
  if (setting.secret) return `is malformed: ${setting.help}`;
  return error instanceof Error ? error.message : String(error);
}

function isSetting(node: Setting<unknown> | SettingsTree): node is Setting<unknown> {
  return typeof (node as Setting<unknown>).parse === 'function';
}

/** Environment of a program. */
type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Returns the text of the setting `variable` from the environment, or from the file in `variable_FILE`. Secrets
 * therefore need not be in the environment, which every child process and `docker inspect` can read. Returns undefined
 * if neither is set or the variable is empty.
 *
 * @throws Error with a message that contains the variable, and never the content of the file
 */
export function readSettingText(variable: string, env: Environment): string | undefined {
  const given = env[variable] || undefined;
  const path = env[`${variable}_FILE`] || undefined;
  if (path === undefined) return given;
  if (given !== undefined) {
    throw new Error(`${variable} and ${variable}_FILE are both set: unset one`);
  }
  const content = readText(variable, path).replace(/\r?\n$/, '');
  if (content === '') throw new Error(`${variable}_FILE names a file that is empty: ${path}`);
  return content;
}

function readText(variable: string, path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    throw new Error(`${variable}_FILE names a file that cannot be read: ${path} (${code})`, {
      cause: error,
    });
  }
}
