/** `error`: the domain, or a part of it, does not work for many; `warning`: for some, or soon; `info`: good to know. */
export type Severity = 'error' | 'warning' | 'info';

/** One thing that was found out about a domain. */
export interface Finding {
  readonly severity: Severity;
  /** Stays the same for programs; the rest is for people. */
  readonly code: string;
  readonly message: string;
  /** What to do. */
  readonly action: string;
}

export function finding(
  severity: Severity,
  code: string,
  message: string,
  action: string,
): Finding {
  return { severity, code, message, action };
}
