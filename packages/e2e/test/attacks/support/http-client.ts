import { type Agent, type IncomingMessage, request } from 'node:http';

export interface Call {
  readonly method?: string;
  readonly path: string;
  readonly token: string;
  readonly type?: string;
  readonly body?: string | Buffer;
}

export interface Answer {
  /** 0: the connection ended without one; -1: while a large body was sent, which is how its refusal can look. */
  readonly status: number;
  readonly octets: number;
  readonly milliseconds: number;
  readonly text: string;
}

const LARGE_BODY = 262_144;

/** Sends one request; the body of the answer is kept only as far as a test looks at it. */
export async function send(
  url: string,
  agent: Agent,
  { method = 'GET', path, token, type = 'application/json', body }: Call,
  keep = 1_000_000,
): Promise<Answer> {
  const startedAt = performance.now();
  return await new Promise((resolve) => {
    let text = '';
    let octets = 0;
    const end = (status: number) => {
      resolve({ status, octets, text, milliseconds: performance.now() - startedAt });
    };
    const sent = request(
      url + path,
      {
        agent,
        method,
        headers: {
          'x-auth-token': token,
          ...(body === undefined
            ? {}
            : { 'content-type': type, 'content-length': Buffer.byteLength(body) }),
        },
      },
      (response: IncomingMessage) => {
        response.on('data', (chunk: Buffer) => {
          octets += chunk.length;
          if (text.length < keep) text += chunk.toString();
        });
        response.on('end', () => {
          end(response.statusCode ?? 0);
        });
        response.on('error', () => {
          end(0);
        });
      },
    );
    sent.on('error', () => {
      end(Buffer.byteLength(body ?? '') > LARGE_BODY ? -1 : 0);
    });
    sent.end(body);
  });
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0);
}
