/** What was given on the command line or typed cannot be used: mend it. */
export class InputError extends Error {
  override readonly name = 'InputError';
}
