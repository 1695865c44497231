/**
 * One reason why a request's value is refused, as the DNS API shows it (DNS API s7). `path` names the member, and
 * `validator` the check that failed. `message` says what was wrong and what would be right.
 */
export interface Problem {
  readonly path: string;
  readonly validator: Validator;
  readonly message: string;
}

/** The names of all checks of this package; JSON Schema's names where it has the same check. */
export type Validator =
  | 'required'
  | 'type'
  | 'enum'
  | 'minimum'
  | 'maximum'
  | 'maxLength'
  | 'format'
  | 'absolute'
  | 'label'
  | 'minLabels'
  | 'publicSuffix'
  | 'insideDomain'
  | 'apex'
  | 'disallowed';
