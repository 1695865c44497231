// Measures the first signing of the large zone compared with dnssec-signzone with one thread. Both verify their result.
import { printTable, whole } from '../dns/report.mjs';
import { signInDatabase } from './platform.mjs';
import { signZoneFile } from './zone.mjs';

export async function measureFirst(world) {
  const own = await signInDatabase(world);
  await own.stop();
  const verified = signZoneFile(world, { isVerified: true });
  const bare = signZoneFile(world, { isVerified: false });
  const row = (what, wall, cpu) => [
    what,
    wall.toFixed(1),
    cpu.toFixed(1),
    (own.wall / wall).toFixed(2),
  ];
  printTable(
    `The first signing of a zone of ${whole(world.names)} names, in seconds`,
    ['who', 'in all', 'CPU', 'ours beside it, in all'],
    [
      row('Zonewright: signer and PostgreSQL', own.wall, own.signerCpu + own.databaseCpu),
      row('of it the signer', own.wall, own.signerCpu),
      row('dnssec-signzone -n 1', verified.wall, verified.cpu),
      row('dnssec-signzone -n 1 -P: does not verify', bare.wall, bare.cpu),
    ],
  );
}
