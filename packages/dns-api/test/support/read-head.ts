import type { IncomingMessage } from 'node:http';

/** Reads only the head of a successful response that has no end, for supertest. */
export function readHead(
  response: unknown,
  done: (error: Error | null, body: unknown) => void,
): void {
  const message = response as IncomingMessage & { text: string };
  message.text = '';
  if (message.statusCode === 200) {
    done(null, {});
    message.destroy();
    return;
  }
  message.setEncoding('utf8').on('data', (text: string) => (message.text += text));
  message.on('end', () => {
    done(null, JSON.parse(message.text));
  });
}
