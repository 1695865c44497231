/** Refusals that HTTP itself makes, before any operation is involved. */
export type HttpErrorStatus = 404 | 405 | 406 | 408 | 413 | 415 | 431;

/** A request that never reached an operation; errors.ts gives it its body. */
export class HttpError extends Error {
  override readonly name = 'HttpError';
  readonly status: HttpErrorStatus;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: HttpErrorStatus,
    details: string,
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(details);
    this.status = status;
    this.headers = headers;
  }
}
