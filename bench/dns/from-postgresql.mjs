// Measures the time of a start without a snapshot until all zones are answered, and its peak memory.
import { startDatabase, withDatabase } from './database.mjs';
import { peakMegabytes, residentMegabytes } from './processes.mjs';
import { printTable, spread, whole } from './report.mjs';
import { endProcess, startServer } from './server-process.mjs';

export async function measureStart(world) {
  const { rounds, zones, recordCount } = world;
  const { nameserverUrl, stop } = await startDatabase(world);
  try {
    const results = [];
    for (let round = 1; round <= rounds; round++) {
      const { child, firstAnswerSeconds } = await startServer(
        'from-postgresql',
        withDatabase(nameserverUrl),
        world,
      );
      const result = {
        firstAnswerSeconds,
        megabytes: residentMegabytes(child.pid),
        peak: peakMegabytes(child.pid),
      };
      await endProcess(child);
      console.error(`round ${round}: ${JSON.stringify(result)}`);
      results.push(result);
    }
    const of = (key, digits) =>
      spread(
        results.map((result) => result[key]),
        digits,
      );
    printTable(
      `${whole(recordCount)} records in ${whole(zones.length)} zones from PostgreSQL, ${rounds} starts`,
      ['first answer, s', 'resident memory then, MB', 'at most, MB'],
      [[of('firstAnswerSeconds', 2), of('megabytes', 0), of('peak', 0)]],
    );
  } finally {
    await stop();
  }
}
