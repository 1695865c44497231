import { isSigningAlgorithm, type SigningAlgorithm } from '@zonewright/dns-records/dnssec';
import { ServiceError } from '@zonewright/service-kit';
import { enableDnssec } from '@zonewright/zones';
import type { Command } from 'commander';
import type { Host } from '../command/host.js';
import { operatorCommand } from '../command/operator-command.js';
import { dnssecAction } from './dnssec-action.js';

export function dnssecSignCommand(host: Host): Command {
  return operatorCommand(
    'sign',
    'have a domain signed, or with another algorithm',
    'dnssec sign example.com.',
    'dnssec sign example.com. --algorithm 15',
  )
    .argument('<domain>', 'name')
    .option('--algorithm <number>', '13 (ECDSA P-256 with SHA-256, the default) or 15 (Ed25519)')
    .action(
      dnssecAction(host, (given: { readonly algorithm?: string }) => {
        const algorithm = readAlgorithm(given.algorithm);
        return (work, target) => enableDnssec(work, target, { algorithm });
      }),
    );
}

function readAlgorithm(given: string | undefined): SigningAlgorithm | undefined {
  if (given === undefined) return undefined;
  const algorithm = Number(given);
  if (isSigningAlgorithm(algorithm)) return algorithm;
  throw new ServiceError('invalid', 'the algorithm must be 13 or 15');
}
