import { beforeEach, describe, expect, it } from '@jest/globals';
import { Validator } from '@seriousme/openapi-schema-validator';
import { serveOperations } from '@zonewright/http-api';
import { createLogger } from '@zonewright/service-kit';
import { FakeClock, readCodeBlocks, waitFor } from '@zonewright/testkit';
import { readFileSync } from 'node:fs';
import { createNotesApi, describeNotesApi } from './support/notes-api.js';
import { useServer } from './support/use-server.js';
import { UPDATE_NOTE } from './worked-example.js';

const OPERATIONS = [UPDATE_NOTE];
const TOKEN = 'a-token';
const lines: string[] = [];
const log = createLogger('notes', 'info', { write: (line) => void lines.push(line) });
const clock = new FakeClock();
const notes = new Map([['1', 'old']]);
const { api, registry } = createNotesApi(OPERATIONS, { notes, token: TOKEN, clock, log });
const server = useServer(serveOperations(api));
beforeEach(() => {
  // Each test has a separate second.
  clock.advance(1_000);
  lines.length = 0;
});

interface Sent {
  readonly path?: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

async function send(
  body: string | null,
  { path = '/notes/1', method = 'PUT', headers }: Sent = {},
) {
  const json = { 'X-Auth-Token': TOKEN, 'Content-Type': 'application/json' };
  return await fetch(server.url + path, { method, body, headers: { ...json, ...headers } });
}

const note = (text: string) => JSON.stringify({ note: { text } });

describe('The worked example of CONTRIBUTING.md', () => {
  it('is the file that is run here', () => {
    const guide = readFileSync(new URL('../../../CONTRIBUTING.md', import.meta.url), 'utf8');
    const example = readFileSync(new URL('worked-example.ts', import.meta.url), 'utf8');
    expect(readCodeBlocks(guide, 'ts').map((block) => `${block.trim()}\n`)).toContain(example);
  });

  it('reads and answers JSON', async () => {
    const response = await send(note('new'));
    expect([response.status, await response.json()]).toEqual([200, { note: { text: 'new' } }]);
    expect(notes.get('1')).toBe('new');
  });

  it('reads and answers XML', async () => {
    const headers = { 'Content-Type': 'application/xml', Accept: 'application/xml' };
    const response = await send('<note><text>newer</text></note>', { headers });
    expect(response.headers.get('content-type')).toBe('application/xml');
    expect(await response.text()).toBe(
      '<?xml version="1.0" encoding="UTF-8"?><note xmlns="urn:example:notes"><text>newer</text></note>',
    );
    expect(notes.get('1')).toBe('newer');
  });

  it.each<[number, string, string, Sent]>([
    [400, 'no text', '{"note":{}}', {}],
    [400, 'a text that is too long', note('x'.repeat(101)), {}],
    [400, 'no JSON', '{', {}],
    [401, 'no token', note('new'), { headers: { 'X-Auth-Token': '' } }],
    [404, 'an unknown note', note('new'), { path: '/notes/2' }],
    [404, 'an unknown path', note('new'), { path: '/notes' }],
    [405, 'another method', note('new'), { method: 'POST' }],
    [406, 'a format that there is none of', note('new'), { headers: { Accept: 'text/html' } }],
    [413, 'a body that is too large', note('x'.repeat(2_000)), {}],
    [415, 'a body of another type', note('new'), { headers: { 'Content-Type': 'text/plain' } }],
  ])('answers %i to %s', async (status, _what, body, sent) => {
    const before = new Map(notes);
    const response = await send(body, sent);
    expect(response.status).toBe(status);
    expect(await response.json()).toEqual({ message: expect.stringMatching(/./) });
    expect(notes).toEqual(before);
  });

  it('has a rate limit', async () => {
    const statuses = [];
    for (let time = 0; time < 4; time += 1) statuses.push((await send(note('again'))).status);
    expect(statuses).toEqual([200, 200, 200, 429]);
    clock.advance(1_000);
    expect((await send(note('again'))).status).toBe(200);
  });

  it('has a line in the log, and is counted', async () => {
    const response = await send(note('seen'));
    const requestId = response.headers.get('x-openstack-request-id');
    await waitFor(() => lines.length > 0);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      msg: 'request',
      method: 'PUT',
      route: '/notes/{noteId}',
      status: 200,
      requestId,
    });
    expect(await registry.metrics()).toMatch(
      /notes_http_requests_total\{method="PUT",route="\/notes\/\{noteId\}",status="200"\} [1-9]/,
    );
  });

  it('is described in OpenAPI 3.1', async () => {
    const document = describeNotesApi(OPERATIONS);
    expect(await new Validator().validate(structuredClone(document))).toEqual({ valid: true });
    const { put } = document.paths['/notes/{noteId}'] as { put: Record<string, object> };
    expect(put).toMatchObject({
      operationId: 'updateNote',
      requestBody: {
        content: {
          'application/json': {
            schema: {
              required: ['note'],
              properties: { note: { properties: { text: { type: 'string', maxLength: 100 } } } },
            },
          },
          'application/xml': { schema: { xml: { name: 'note', namespace: 'urn:example:notes' } } },
        },
      },
    });
    expect(Object.keys(put['responses'] ?? {})).toEqual(['200', '400', '401', '404', '429']);
  });
});
