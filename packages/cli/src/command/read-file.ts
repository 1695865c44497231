import { readFileSync } from 'node:fs';
import { InputError } from '@zonewright/terminal';
import type { Host } from './host.js';

/** A file of the user's; `-` is standard input. @throws InputError */
export async function readFileOrStdin(host: Host, file: string): Promise<string> {
  if (file === '-') {
    const chunks: Buffer[] = [];
    for await (const chunk of host.stdin) chunks.push(Buffer.from(chunk as Uint8Array | string));
    return Buffer.concat(chunks).toString();
  }
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new InputError(`${file} cannot be read (${(error as NodeJS.ErrnoException).code ?? ''})`);
  }
}
