import { describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { PassThrough, Writable } from 'node:stream';
import { Output } from './output.js';
import type { Column } from './table.js';

interface Row {
  readonly name: string;
  readonly size: number;
}

const COLUMNS: readonly Column<Row>[] = [
  { title: 'Name', member: 'name' },
  { title: 'Size', member: 'size' },
];

describe('Output.stream', () => {
  it('asks for no more rows than a slow reader takes', async () => {
    let asked = 0;
    async function* rows(): AsyncGenerator<Row> {
      await Promise.resolve();
      for (; asked < 3; asked += 1) yield { name: `row ${asked}`, size: asked };
    }
    const stdout = new PassThrough({ highWaterMark: 1 });
    const done = new Output({ stdout, stderr: stdout }, 'jsonl').stream(rows(), COLUMNS);
    await once(stdout, 'readable');
    expect(asked).toBe(0);
    expect(String(stdout.read())).toBe('{"name":"row 0","size":0}\n');
    stdout.resume();
    await done;
    expect(asked).toBe(3);
  });

  it('refuses a column that there is not before it asks for a row', async () => {
    const stdout = new Writable();
    const output = new Output({ stdout, stderr: stdout }, 'json', { columns: ['weight'] });
    const rows = {
      [Symbol.asyncIterator]: (): never => {
        throw new Error('asked');
      },
    };
    await expect(output.stream(rows, COLUMNS)).rejects.toThrow('no column "weight"');
  });
});
