import { UnreachableError } from '@zonewright/client';
import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import { InputError } from '@zonewright/terminal';
import { nodeFetch } from '../http/node-client.js';

/** Nothing that answers with an address is longer. */
const LONGEST_ANSWER = 200;
const PATIENCE_MS = 10_000;
/** An address that counts on its own link alone (RFC 3927, RFC 4291). */
const LINK_LOCAL = /^(169\.254\.|fe[89ab])/i;

/**
 * The addresses that this machine has now.
 *
 * @param source the name of a network interface, or the URL of a page that answers with the address it was asked from
 * @throws InputError when it says none
 */
export async function findAddresses(source: string, signal: AbortSignal): Promise<string[]> {
  if (/^https?:\/\//.test(source)) return [await askPage(source, signal)];
  const all = networkInterfaces()[source] ?? [];
  const found = all.map(({ address }) => address).filter((address) => !LINK_LOCAL.test(address));
  // A machine may have several addresses of a family; the first one is used.
  const chosen = [4, 6].flatMap((version) => found.find((each) => isIP(each) === version) ?? []);
  if (chosen.length > 0) return chosen;
  throw new InputError(`${source} is neither a URL nor a network interface with an address.`);
}

async function askPage(url: string, signal: AbortSignal): Promise<string> {
  let text: string;
  try {
    const late = AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]);
    const response = await nodeFetch(url, { signal: late });
    text = await readStart(response);
  } catch (error) {
    signal.throwIfAborted();
    throw new UnreachableError(url, error);
  }
  const address = text.trim();
  if (isIP(address) !== 0) return address;
  throw new InputError(`the response of ${url} does not contain an address`);
}

/** Reads the first bytes of a response, enough for an address. */
async function readStart(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const bytes of response.body as unknown as AsyncIterable<Uint8Array>) {
    text += decoder.decode(bytes, { stream: true });
    if (text.length > LONGEST_ANSWER) break;
  }
  return text;
}
