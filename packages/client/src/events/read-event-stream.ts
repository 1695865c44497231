/** A block of an event stream: what it says of itself, and its data; each undefined where it says nothing. */
export interface Block {
  readonly event: string | undefined;
  readonly data: string | undefined;
  readonly id: string | undefined;
}

/** Takes an event stream apart as it comes (HTML Living Standard s9.2.6), in any pieces. Comments are blocks of nothing. */
export class EventStreamReader {
  readonly #decoder = new TextDecoder();
  #rest = '';

  read(octets: Uint8Array): Block[] {
    const text = this.#rest + this.#decoder.decode(octets, { stream: true });
    const blocks = text.split(/\r?\n\r?\n/);
    this.#rest = blocks.pop() ?? '';
    return blocks.map(readBlock);
  }
}

function readBlock(text: string): Block {
  const fields = new Map<string, string>();
  for (const line of text.split(/\r?\n/)) {
    const [, name = '', value = ''] = /^([^:]*):? ?(.*)$/.exec(line) ?? [];
    const before = name === 'data' ? fields.get(name) : undefined;
    fields.set(name, before === undefined ? value : `${before}\n${value}`);
  }
  return { event: fields.get('event'), data: fields.get('data'), id: fields.get('id') };
}
