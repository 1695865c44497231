import type { Finding } from '../src/doctor/finding.js';
import { type Installation, runCommand } from './run-command.js';

/** The output of doctor. */
interface Diagnosis {
  readonly exitCode: number;
  readonly text: string;
  /** Returns the findings about an area. */
  readonly of: (area: string) => string[];
}

/** Runs doctor on an installation; `env` overrides variables of its command. */
export async function diagnoseInstallation(
  installation: Installation,
  env: Record<string, string | undefined> = {},
): Promise<Diagnosis> {
  const { exitCode, stdout } = await runCommand(['doctor', '--json'], {
    ...installation.env,
    ...env,
  });
  const { findings } = JSON.parse(stdout) as { findings: Finding[] };
  return {
    exitCode,
    text: stdout,
    of: (area) =>
      findings
        .filter((finding) => finding.area === area)
        .map(
          ({ level, finding, advice }) =>
            `${level}: ${finding}${advice === null ? '' : ` -> ${advice}`}`,
        ),
  };
}
