import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { ROOT } from '../../scripts/install.mjs';

/** Returns the sizes of the files that a browser loads, after gzip. */
export function measureSizes() {
  const folder = join(ROOT, 'packages/console/dist/assets');
  const sizes = readdirSync(folder).map((name) => ({
    name,
    size: gzipSync(readFileSync(join(folder, name)), { level: 9 }).length / 1024,
  }));
  const sum = (list) => list.reduce((total, { size }) => total + size, 0).toFixed(1);
  const entry = sizes.filter(({ name }) => name.startsWith('index-') && name.endsWith('.js'));
  return [
    { what: 'first script', measured: `${sum(entry)} KiB`, goal: '<= 150 KiB' },
    { what: 'all scripts and styles', measured: `${sum(sizes)} KiB`, goal: '<= 300 KiB' },
  ];
}
