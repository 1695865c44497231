import type { Finding } from './finding.js';

/** Parts of a check of a domain. */
export const PARTS = [
  /** Each nameserver of this service, by a question of its own. */
  'nameservers',
  'delegation',
  /** Whether resolvers find the nameservers. */
  'nameserver-addresses',
  'glue',
  /** Names that records lead to, in domains of this service. */
  'targets',
  /** The same in domains elsewhere. */
  'targets-elsewhere',
  'ttls',
] as const;
export type Part = (typeof PARTS)[number];

/** Findings, and the parts that were not checked, or not completely. */
export interface PartResult {
  readonly findings: readonly Finding[];
  readonly notChecked: readonly Part[];
}

/** Several results as one. */
export function joinResults(results: readonly PartResult[]): PartResult {
  return {
    findings: results.flatMap(({ findings }) => findings),
    notChecked: results.flatMap(({ notChecked }) => notChecked),
  };
}
