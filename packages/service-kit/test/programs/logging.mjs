// A program for log-output.test.ts. For each message from its parent it logs that number of lines, with the length of
// its argument. It then replies with the value of its metric after all of them have been written or dropped.
import { createLogger, OperationsServer } from '@zonewright/service-kit';
import { Registry } from 'prom-client';

const log = createLogger('a-service', 'info');
const filler = 'x'.repeat(Number(process.argv[2]));
const registry = new Registry();
const operations = new OperationsServer({ host: '127.0.0.1', port: 0, registry, checks: {} });
const port = await operations.start();
let number = 0;

async function countDropped() {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  return Number(/^zonewright_log_lines_dropped_total (\d+)$/m.exec(text)?.[1]);
}

process.on('message', async (lines) => {
  for (let line = 0; line < lines; line += 1) log.info({ number: (number += 1), filler }, 'a line');
  const dropped = await countDropped();
  process.send({ logged: number, dropped, waiting: process.stdout.writableLength });
});
process.on('disconnect', () => process.exit());
process.send('ready');
