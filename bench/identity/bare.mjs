// Bare node:http on the service's core that answers what the service answered, to whatever is asked.
import { fileURLToPath } from 'node:url';
import { Child } from '../lib/child.mjs';
import { onServiceCore } from './pinning.mjs';

const PROGRAM = fileURLToPath(new URL('bare-server.mjs', import.meta.url));
/** Node writes these itself. */
const OWN_HEADERS = ['connection', 'keep-alive', 'date'];

/** @returns the server, how many bytes its answer has, and how to ask for the CPU it has used. */
export async function startBare(serviceUrl, { method, path, headers, body }) {
  const answer = await fetch(serviceUrl + path, { method, headers, body });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`answered ${answer.status}: ${text}`);
  const answered = [...answer.headers].filter(([name]) => !OWN_HEADERS.includes(name));
  const child = await Child.start(onServiceCore([process.execPath, PROGRAM]));
  await child.ask({ answer: { headers: Object.fromEntries(answered), text } });
  return {
    url: child.ready.url,
    bytes: Buffer.byteLength(text),
    cpuSeconds: async () => (await child.ask({})).cpuSeconds,
    stop: () => child.stop(),
  };
}
