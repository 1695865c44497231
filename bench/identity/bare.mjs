// Starts bare node:http on the service's core. It sends the service's response to every request.
import { fileURLToPath } from 'node:url';
import { Child } from '../lib/child.mjs';
import { onServiceCore } from './pinning.mjs';

const PROGRAM = fileURLToPath(new URL('bare-server.mjs', import.meta.url));
/** Headers that Node.js writes itself. */
const OWN_HEADERS = ['connection', 'keep-alive', 'date'];

/** @returns the server, the size of its response in bytes, and a function that returns its CPU time */
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
