/** `error`: the domain, or a part of it, does not work for many; `warning`: for some, or soon; `info`: good to know. */
export type Severity = 'error' | 'warning' | 'info';

/** One thing that was found out about a domain. */
export interface Finding {
  readonly severity: Severity;
  /** Stays the same for programs; the rest is for people. */
  readonly code: string;
  readonly message: string;
  /** Action that the user should take. */
  readonly action: string;
  /** The records that a change would mend, where there are such. */
  readonly about?: RecordsFound;
}

/** Records of a name and type; of those that lead somewhere, where to. */
interface RecordsFound {
  readonly name: string;
  readonly type: string;
  readonly target?: string;
}

export function finding(
  severity: Severity,
  code: string,
  message: string,
  action: string,
): Finding {
  return { severity, code, message, action };
}
