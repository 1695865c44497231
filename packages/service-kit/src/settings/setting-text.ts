import { readFileSync } from 'node:fs';

/** What a program was started with. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The text of the setting `variable`: from the environment, or from the file that `variable_FILE` names, so that a
 * secret need not stand where every child process and `docker inspect` show it. Undefined where neither is set;
 * empty counts as unset.
 *
 * @throws Error whose message names the variable, and never what is in the file
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
