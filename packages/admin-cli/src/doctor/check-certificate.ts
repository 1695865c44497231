import { connect, type PeerCertificate } from 'node:tls';
import type { Clock } from '@zonewright/service-kit';
import { error, type Finding, ok, warning } from './finding.js';

const AREA = 'certificates';
const TIMEOUT_MS = 3_000;
const DAY_MS = 24 * 3_600_000;
/** Automatic renewal happens earlier than this. */
const SOON_DAYS = 14;
const ADVICE =
  'Renew it; the service takes it up within two seconds. If it was renewed, see whether the new files are where the service looks.';

/** How long the certificate lasts that is shown at this URL; nothing without TLS, or where nobody answers. */
export async function checkCertificate(url: string, clock: Clock): Promise<Finding[]> {
  const { protocol, hostname, host, port } = new URL(url);
  if (protocol !== 'https:') return [];
  const name = hostname.replace(/^\[|\]$/g, '');
  const certificate = await readCertificate(name, port === '' ? 443 : Number(port));
  if (certificate?.valid_to === undefined) return [];
  const end = new Date(certificate.valid_to);
  const days = Math.floor((end.getTime() - clock.now()) / DAY_MS);
  const shown = `The certificate at ${host} ends at ${end.toISOString()}`;
  if (days < 0) return [error(AREA, `${shown}: it is over.`, ADVICE)];
  if (days < SOON_DAYS) return [warning(AREA, `${shown}, in ${days} days.`, ADVICE)];
  return [ok(AREA, `${shown}.`)];
}

/** Reads the certificate without verifying it: the check of the service does that. */
async function readCertificate(host: string, port: number): Promise<PeerCertificate | undefined> {
  return await new Promise((resolve) => {
    const socket = connect({ host, port, rejectUnauthorized: false, timeout: TIMEOUT_MS });
    const end = (certificate?: PeerCertificate) => {
      socket.destroy();
      resolve(certificate);
    };
    socket.once('secureConnect', () => {
      end(socket.getPeerCertificate());
    });
    socket.once('timeout', end);
    socket.on('error', () => {
      end();
    });
  });
}
