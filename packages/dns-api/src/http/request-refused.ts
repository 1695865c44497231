/**
 * A request that HTTP itself refuses, before any domain code: the status and type of DNS API error bodies
 * (decisions 3) are known on the spot.
 */
export class RequestRefused extends Error {
  override readonly name = 'RequestRefused';
  readonly status: number;
  readonly type: string;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    refusal: { readonly status: number; readonly type: string; readonly allow?: string },
    message: string,
  ) {
    super(message);
    this.status = refusal.status;
    this.type = refusal.type;
    this.headers = refusal.allow === undefined ? {} : { Allow: refusal.allow };
  }
}
