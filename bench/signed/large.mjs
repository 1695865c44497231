// Compares the large signed zone with NSD and Knot: memory, answers and denials with DO.
import { mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { whole } from '../dns/report.mjs';
import { endProcess } from '../dns/server-process.mjs';
import { signInDatabase } from './platform.mjs';
import { compareAnswers, SIGNED, startServers, zonewrightOf } from './servers.mjs';
import { LARGE_ZONE, signZoneFile, writeQuestions } from './zone.mjs';

const WITH_DO = ['-D'];

export async function measureLarge(world) {
  const zoneFolder = join(world.folder, 'zones');
  mkdirSync(zoneFolder, { recursive: true });
  renameSync(
    signZoneFile(world, { isVerified: false }).file,
    join(zoneFolder, `${LARGE_ZONE}.zone`),
  );
  const own = await signInDatabase(world);
  const running = [];
  try {
    running.push(
      ...(await startServers(
        { Zonewright: zonewrightOf(own.url), ...SIGNED },
        { folder: world.folder, zones: [{ name: LARGE_ZONE }], zoneFolder },
      )),
    );
    const found = writeQuestions(world, 'found');
    const missing = writeQuestions(world, 'missing');
    await compareAnswers(world, {
      running,
      caption: `One signed zone of ${whole(world.names)} names`,
      loads: [
        { what: 'found, DO', file: found, options: WITH_DO },
        { what: 'missing, DO', file: missing, options: WITH_DO },
      ],
    });
  } finally {
    await Promise.all(running.map(({ child }) => endProcess(child)));
    await own.stop();
  }
}
