/** Invalid input on the command line or at a prompt. */
export class InputError extends Error {
  override readonly name = 'InputError';
}
