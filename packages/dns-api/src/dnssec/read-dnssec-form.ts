import { isSigningAlgorithm, type SigningAlgorithm } from '@zonewright/dns-records/dnssec';
import { invalidRequest, type Problem } from '@zonewright/service-kit';
import { checkMembers } from '../http/members.js';

/** `{"enabled": true, "algorithm": 13}` @throws ServiceError `invalid` with all problems */
export function readDnssecForm(body: unknown): { algorithm: SigningAlgorithm | undefined } {
  const { values, problems } = checkMembers(body, ['enabled', 'algorithm']);
  const { enabled, algorithm } = values;
  const found: Problem[] = [...problems];
  if (enabled !== true) {
    const message = 'enabled must be true; to have the domain unsigned, use DELETE.';
    found.push({ path: 'enabled', validator: 'enum', message });
  }
  if (algorithm !== undefined && !isSigningAlgorithm(algorithm)) {
    const message = 'algorithm must be 13 (ECDSA P-256 with SHA-256) or 15 (Ed25519).';
    found.push({ path: 'algorithm', validator: 'enum', message });
  }
  if (found.length > 0) throw invalidRequest(found);
  return { algorithm: isSigningAlgorithm(algorithm) ? algorithm : undefined };
}
