/** Commands that do the same as a dialog. */
export interface CommandTexts {
  /** Undefined if the program has no command for the action. */
  readonly zonewright?: string | undefined;
  readonly curl: string;
  /** Resource of Terraform's provider for OpenStack. Undefined if it has none. */
  readonly terraform?: string | undefined;
}

/** Request to one of the two APIs. */
interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** A path with a `$` contains a shell variable. */
  readonly path: string;
  readonly body?: unknown;
  /** Command that prints the body. */
  readonly from?: string;
  readonly service?: 'identity';
}

/**
 * Maximum length of a command. Longer ones cannot be read, and may be too long for an argument (128 KiB, MAX_ARG_STRLEN
 * on Linux).
 */
export const MOST_CHARACTERS = 32_000;

/** Returns undefined if a command is too long. */
export function withinBounds(texts: CommandTexts): CommandTexts | undefined {
  const isShort = (text = '') => text.length <= MOST_CHARACTERS;
  const { zonewright: line, curl: request, terraform } = texts;
  return [line, request, terraform].every(isShort) ? texts : undefined;
}

/**
 * Builds a command from the words after the program's name. The command does not ask for confirmation, since the
 * dialog has already asked.
 */
export function zonewright(...words: readonly string[]): string {
  return ['zonewright', ...words].map(quote).join(' ');
}

/** Builds a command for operations that have no command. */
export function zonewrightApi({ method, path, body, from }: ApiRequest): string {
  const call = `zonewright api ${method} ${path.includes('$') ? `"${path}"` : quote(path)}`;
  const source = from ?? (body === undefined ? undefined : printed(JSON.stringify(body)));
  return source === undefined ? call : `${source} | ${call} --input -`;
}

/** Builds a curl command for a POSIX shell in which TOKEN contains a token. */
export function curl({ method, path, body, from, service }: ApiRequest): string {
  const data =
    from === undefined
      ? body !== undefined && `--data-raw ${quote(JSON.stringify(body))}`
      : '--data-binary @-';
  const sent = data === false ? '' : ` --header 'Content-Type: application/json' ${data}`;
  const base = service === 'identity' ? '$ZONEWRIGHT_IDENTITY_URL' : '$ZONEWRIGHT_DNS_URL';
  const call = `curl --request ${method} --header "X-Auth-Token: $TOKEN"${sent} "${base}${path}"`;
  return from === undefined ? call : `${from} | ${call}`;
}

/** Builds a command that prints a text unchanged. */
export function printed(text: string): string {
  return `printf %s ${quote(text)}`;
}

export function quote(text: string): string {
  if (/^[\w@%+=:,./-]+$/.test(text)) return text;
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
