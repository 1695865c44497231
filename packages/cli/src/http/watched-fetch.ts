import { printable } from '@zonewright/terminal';
import type { Host } from '../command/host.js';
import type { CommonOptions } from '../command/user-command.js';
import { nodeFetch } from './node-client.js';

type Fetch = typeof nodeFetch;

/** Returns the fetch function for the options `--debug` and `--curl`. */
export function fetchFor(host: Host, { debug = false }: CommonOptions): Fetch {
  return debug ? debugFetch(host, nodeFetch) : nodeFetch;
}

/** Implements `--debug`: prints each request and the status of its response on standard error, including retries. */
function debugFetch({ stderr }: Host, send: Fetch): Fetch {
  const say = (line: string) => stderr.write(`${printable(line)}\n`);
  return async (input, given) => {
    const init = given ?? {};
    const { method = 'GET', body } = init;
    const headers = Object.entries(init.headers as Record<string, string>).map(strikeHeader);
    say(`> ${method} ${strikeUrl(urlOf(input))}`);
    for (const [name, value] of headers) say(`>   ${name}: ${value}`);
    if (typeof body === 'string') say(`>   ${strikeBody(body)}`);
    const began = performance.now();
    const took = () => `after ${Math.round(performance.now() - began)} ms`;
    try {
      const response = await send(input, init);
      const id = response.headers.get('x-openstack-request-id') ?? '';
      say(`< ${response.status} ${took()} ${id}`.trimEnd());
      return response;
    } catch (error) {
      say(`< no response ${took()}: ${(error as Error).message}`);
      throw error;
    }
  };
}

/**
 * Implements `--curl`: prints each request as a command. Reads are sent, since later requests need the response. The
 * first write or event stream is printed, not sent, and ends the command.
 *
 * @param onEnd called when the command has ended
 */
export function curlFetch({ stdout }: Host, send: Fetch, onEnd: () => void): Fetch {
  return (input, given) => {
    const init = given ?? {};
    const url = urlOf(input);
    const { method = 'GET' } = init;
    // The response contains the token for the other requests.
    if (method === 'POST' && url.endsWith('/tokens')) return send(input, init);
    stdout.write(`${renderCurl(url, init)}\n`);
    if (isRead(url, init)) return send(input, init);
    onEnd();
    return new Promise(() => undefined);
  };
}

function isRead(url: string, { method = 'GET', headers }: RequestInit): boolean {
  const { Accept = '' } = headers as Record<string, string>;
  if (method === 'GET') return !Accept.startsWith('text/event-stream');
  const { searchParams, pathname } = new URL(url);
  return searchParams.get('dry_run') === 'true' || /\/(import\/read|check)$/.test(pathname);
}

/** Renders a request for a POSIX shell in which TOKEN contains a token. */
function renderCurl(url: string, { method = 'GET', headers, body }: RequestInit): string {
  const fields = Object.entries(headers as Record<string, string>).map(([name, value]) =>
    name === 'X-Auth-Token'
      ? '--header "X-Auth-Token: $TOKEN"'
      : // Header fields contain bytes; a shell expects UTF-8.
        `--header ${quote(`${name}: ${Buffer.from(value, 'latin1').toString()}`)}`,
  );
  const data = typeof body === 'string' ? [`--data-raw ${quote(body)}`] : [];
  return ['curl', '--request', method, ...fields, ...data, quote(strikeUrl(url))].join(' ');
}

function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

function urlOf(input: Parameters<Fetch>[0]): string {
  return input instanceof Request ? input.url : String(input);
}

const STRUCK = '***';
const SECRET = /password|secret|token|private/i;
/** Members that contain a name in addition to the secret. The secret has its own member. */
const GROUP = /credentials$/i;
/** Maximum length of a body. Longer bodies would hide the lines around them. */
const LONGEST_BODY = 2_000;

/** Removes secrets from a URL: a token in a path of the identity service, and a password before the host. */
export function strikeUrl(url: string): string {
  return url
    .replace(/^(\w+:\/\/)[^/@]*@/, `$1${STRUCK}@`)
    .replace(/(\/tokens\/)[^/?]+/, `$1${STRUCK}`);
}

export function strikeHeader([name, value]: readonly [string, string]): [string, string] {
  return [name, SECRET.test(name) ? STRUCK : value];
}

/** Removes the values of secret members from JSON. For any other body, only the length is returned. */
export function strikeBody(body: string): string {
  let struck: string;
  try {
    struck = JSON.stringify(
      JSON.parse(body, (name, value: unknown) => {
        return SECRET.test(name) && !GROUP.test(name) ? STRUCK : value;
      }),
    );
  } catch {
    return `${body.length} characters`;
  }
  if (struck.length <= LONGEST_BODY) return struck;
  return `${struck.slice(0, LONGEST_BODY)}... ${struck.length} characters`;
}
