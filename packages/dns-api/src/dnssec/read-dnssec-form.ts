import { isSigningAlgorithm, type SigningAlgorithm } from '@zonewright/dns-records/dnssec';
import { invalidRequest, type Problem } from '@zonewright/service-kit';
import { type ForeignKey, MAX_FOREIGN_KEYS, readForeignKey } from '@zonewright/zones';
import { checkMembers } from '../http/members.js';

const FOREIGN_KEYS = 'foreign_keys';
/** No key that is meant has more characters. */
const MAX_TEXT = 200;

interface DnssecForm {
  readonly algorithm: SigningAlgorithm | undefined;
  readonly foreignKeys: readonly ForeignKey[] | undefined;
}

/** `{"enabled": true, "algorithm": 13, "foreign_keys": ["257 3 13 ..."]}` @throws ServiceError `invalid` with all problems */
export function readDnssecForm(body: unknown): DnssecForm {
  const { values, problems } = checkMembers(body, ['enabled', 'algorithm', FOREIGN_KEYS]);
  const { enabled, algorithm } = values;
  const found: Problem[] = [...problems];
  const foreignKeys = readForeignKeys(values[FOREIGN_KEYS], found);
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

function readForeignKeys(given: unknown, problems: Problem[]): ForeignKey[] | undefined {
  if (given === undefined) return undefined;
  const complain = (path: string, message: string) => {
    problems.push({ path, validator: 'format', message: `${path} ${message}` });
  };
  if (!Array.isArray(given) || given.length > MAX_FOREIGN_KEYS) {
    complain(
      FOREIGN_KEYS,
      `must be a list of at most ${MAX_FOREIGN_KEYS} DNSKEYs of the other provider.`,
    );
    return undefined;
  }
  const keys: ForeignKey[] = [];
  for (const [at, text] of given.entries()) {
    const key = readForeignKey(typeof text === 'string' ? text.slice(0, MAX_TEXT) : '');
    if (typeof key === 'string') complain(`${FOREIGN_KEYS}[${at}]`, key);
    else if (keys.some(({ keyTag }) => keyTag === key.keyTag)) {
      complain(`${FOREIGN_KEYS}[${at}]`, `has the tag ${key.keyTag}, as another one has.`);
    } else keys.push(key);
  }
  return keys;
}
