import { once } from 'node:events';
import { PassThrough, Writable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
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
  it('requests no more rows than a slow reader reads', async () => {
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

  it('fills a template for each row, and truncates tables only at a terminal', async () => {
    const rows = [{ name: 'one', size: 1 }];
    const show = async (stdout: PassThrough, template?: string) => {
      const output = new Output({ stdout, stderr: stdout }, 'table', { template });
      output.list(rows, [{ title: 'Name', member: 'name', isCut: true }]);
      output.done('Made one', rows[0]!);
      await Promise.resolve();
      return String(stdout.read());
    };
    expect(await show(new PassThrough(), '{{size}}:{{name}}')).toBe('1:one\n1:one\n');
    const wide = [{ name: 'a-long-name', size: 1 }];
    rows.splice(0, 1, ...wide);
    expect(await show(new PassThrough())).toContain('a-long-name');
    const terminal = Object.assign(new PassThrough(), { isTTY: true, columns: 6 });
    expect(await show(terminal)).toBe('NAME\na-lon…\nMade one\n');
  });

  it('refuses an unknown column before it requests a row', async () => {
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

describe('Output.doneAll', () => {
  const all = [1, 2].map((size) => ({ sentence: `Made ${size}`, result: { size } }));
  const show = (format: 'table' | 'json' | 'jsonl', options = {}) => {
    const stdout = new PassThrough();
    new Output({ stdout, stderr: stdout }, format, options).doneAll(all);
    return String(stdout.read() ?? '');
  };

  it('is one document in JSON, and one line for each row otherwise', () => {
    expect(JSON.parse(show('json'))).toEqual([{ size: 1 }, { size: 2 }]);
    expect(show('jsonl')).toBe('{"size":1}\n{"size":2}\n');
    expect(show('table')).toBe('Made 1\nMade 2\n');
    expect(show('json', { template: '{{size}}' })).toBe('1\n2\n');
  });
});
