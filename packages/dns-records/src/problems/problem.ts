/**
 * One reason why a value of a request is refused, as in responses of the DNS API (DNS API s7). `path` names the member, and
 * `validator` the check that failed. `message` says what is wrong and what would be right.
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
