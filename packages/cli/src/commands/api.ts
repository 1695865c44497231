import { type OperationId, OPERATIONS } from '@zonewright/client';
import { InputError } from '@zonewright/terminal';
import type { Command } from 'commander';
import { type Host, readFileOrStdin } from '../command/host.js';
import { writeCommand } from '../command/user-command.js';
import { withSession } from '../session/session.js';

interface ApiOptions {
  readonly input?: string;
}

/** Calls any documented operation of the two APIs, including operations without their own command. */
export function apiCommand(host: Host): Command {
  return writeCommand(
    'api',
    'send a request to one of the APIs and print the response',
    'api GET /v1/domains?extended=true',
    'api POST /v1/domains/ID/batch --input batch.json',
  )
    .argument('<method>', 'GET, POST, PUT, PATCH or DELETE')
    .argument('<path>', 'path and query, as in the documentation')
    .option('--input <file>', 'JSON body; - reads standard input')
    .action(
      withSession(host, async (session, method: string, path: string, options: ApiOptions) => {
        const { id, params, query } = findOperation(method.toUpperCase(), path);
        const body =
          options.input === undefined
            ? {}
            : { body: parse(await readFileOrStdin(host, options.input)) };
        const input = { path: params, query, ...body } as never;
        const perform = (each: object) => session.client.call(id, input, each);
        const { value } =
          method.toUpperCase() === 'GET'
            ? await perform(session.reading)
            : await session.write(path, perform);
        if (value === undefined) return;
        const text: unknown = value;
        const shown = typeof text === 'string' ? text : JSON.stringify(text, undefined, 2);
        session.output.text(shown.replace(/\n$/, '').split('\n'), text);
      }),
    );
}

/** Returns the operation of a path. If several match, the one with the fewest parameters is used. @throws InputError */
function findOperation(method: string, path: string) {
  const url = new URL(path, 'http://localhost');
  const given = url.pathname.split('/');
  const found = Object.entries(OPERATIONS)
    .filter((entry) => entry[1].method === method)
    .flatMap(([id, { path: template }]) => {
      const parts = template.split('/');
      const isSame =
        parts.length === given.length &&
        parts.every((part, at) => part.startsWith('{') || part === given[at]);
      return isSame ? [{ id: id as OperationId, parts }] : [];
    })
    .sort((a, b) => countOpen(a.parts) - countOpen(b.parts));
  const [best] = found;
  if (best === undefined) {
    throw new InputError(
      `there is no ${method} ${url.pathname}. See docs/reference for all operations.`,
    );
  }
  const params = Object.fromEntries(
    best.parts.flatMap((part, at) =>
      part.startsWith('{') ? [[part.slice(1, -1), decodeURIComponent(given[at] ?? '')]] : [],
    ),
  );
  return { id: best.id, params, query: Object.fromEntries(url.searchParams) };
}

function countOpen(parts: readonly string[]): number {
  return parts.filter((part) => part.startsWith('{')).length;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new InputError(`the body is not valid JSON: ${(error as Error).message}`);
  }
}
