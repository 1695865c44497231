import { isSigningAlgorithm, type SigningAlgorithm } from '@zonewright/dns-records/dnssec';
import { invalidRequest, type Problem } from '@zonewright/service-kit';
import { type ExternalKey, readExternalKeys } from '@zonewright/zones';
import { checkMembers } from '../http/members.js';

const FOREIGN_KEYS = 'foreign_keys';

interface DnssecForm {
  readonly algorithm: SigningAlgorithm | undefined;
  readonly foreignKeys: readonly ExternalKey[] | undefined;
}

/** `{"enabled": true, "algorithm": 13, "foreign_keys": ["257 3 13 ..."]}` @throws ServiceError `invalid` with all problems */
export function readDnssecForm(body: unknown): DnssecForm {
  const { values, problems } = checkMembers(body, ['enabled', 'algorithm', FOREIGN_KEYS]);
  const { enabled, algorithm } = values;
  const found: Problem[] = [...problems];
  const foreignKeys = readKeys(values[FOREIGN_KEYS], found);
  if (enabled !== true) {
    const message = 'enabled must be true; to have the domain unsigned, use DELETE.';
    found.push({ path: 'enabled', validator: 'enum', message });
  }
  if (algorithm !== undefined && !isSigningAlgorithm(algorithm)) {
    const message = 'algorithm must be 13 (ECDSA P-256 with SHA-256) or 15 (Ed25519).';
    found.push({ path: 'algorithm', validator: 'enum', message });
  }
  if (found.length > 0) throw invalidRequest(found);
  return { algorithm: isSigningAlgorithm(algorithm) ? algorithm : undefined, foreignKeys };
}

function readKeys(given: unknown, problems: Problem[]): readonly ExternalKey[] | undefined {
  if (given === undefined) return undefined;
  const read = readExternalKeys(given);
  for (const { at, message } of read.problems) {
    const path = at === undefined ? FOREIGN_KEYS : `${FOREIGN_KEYS}[${at}]`;
    problems.push({ path, validator: 'format', message: `${path} ${message}` });
  }
  return read.keys;
}
