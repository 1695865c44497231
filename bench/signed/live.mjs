// Compares denials of random names with DO with servers that sign them on demand.
import { whole } from '../dns/report.mjs';
import { endProcess } from '../dns/server-process.mjs';
import { signInDatabase } from './platform.mjs';
import { compareAnswers, LIVE, startServers, zonewrightOf } from './servers.mjs';
import { LARGE_ZONE, writeQuestions, writeUnsignedZone } from './zone.mjs';

export async function measureLive(world) {
  const zoneFile = writeUnsignedZone(world);
  const own = await signInDatabase(world);
  const running = [];
  try {
    const parts = { folder: world.folder, zones: [{ name: LARGE_ZONE }], zoneFolder: zoneFile };
    const withFile = Object.fromEntries(
      Object.entries(LIVE).map(([name, server]) => [
        name,
        { ...server, prepare: (given) => server.prepare({ ...given, zoneFile }) },
      ]),
    );
    running.push(
      ...(await startServers({ Zonewright: zonewrightOf(own.url), ...withFile }, parts)),
    );
    await compareAnswers(world, {
      running,
      caption: `Random names that are not in a signed zone of ${whole(world.names)}`,
      loads: [{ what: 'missing, DO', file: writeQuestions(world, 'missing'), options: ['-D'] }],
    });
  } finally {
    await Promise.all(running.map(({ child }) => endProcess(child)));
    await own.stop();
  }
}
