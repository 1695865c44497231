/** Commands that do the same as a dialog. */
export interface CommandTexts {
  /** Undefined: the program cannot say it. */
  readonly zonewright?: string | undefined;
  readonly curl: string;
  /** Resource of Terraform's provider for OpenStack. Undefined if it has none. */
  readonly terraform?: string | undefined;
}

/** Request to one of the two APIs. */
interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** A path with a `$` contains a variable of the shell. */
  readonly path: string;
  readonly body?: unknown;
  /** The command that prints the body. */
  readonly from?: string;
  readonly service?: 'identity';
}

/** More is too much to be read, and for an argument (128 KiB of octets: Linux, MAX_ARG_STRLEN). */
export const MOST_CHARACTERS = 32_000;

/** Undefined where it is too much. */
export function withinBounds(texts: CommandTexts): CommandTexts | undefined {
  const isShort = (text = '') => text.length <= MOST_CHARACTERS;
  const { zonewright: line, curl: request, terraform } = texts;
  return [line, request, terraform].every(isShort) ? texts : undefined;
}

/** Composes a command from the words after the program's name. It must not ask: the dialog has asked. */
export function zonewright(...words: readonly string[]): string {
  return ['zonewright', ...words].map(quote).join(' ');
}

/** For operations without a command of their own. */
export function zonewrightApi({ method, path, body, from }: ApiRequest): string {
  const call = `zonewright api ${method} ${path.includes('$') ? `"${path}"` : quote(path)}`;
  const source = from ?? (body === undefined ? undefined : printed(JSON.stringify(body)));
  return source === undefined ? call : `${source} | ${call} --input -`;
}

/** For a POSIX shell in which TOKEN contains a token. */
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

/** A text into a pipe, as it is. */
export function printed(text: string): string {
  return `printf %s ${quote(text)}`;
}

export function quote(text: string): string {
  if (/^[\w@%+=:,./-]+$/.test(text)) return text;
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
