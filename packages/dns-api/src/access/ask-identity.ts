import { type AuthorizedClient, ServiceError } from '@zonewright/service-kit';

/** An operation of the identity service for other services, and the error if it is not available. */
interface Question {
  /** Below `v3/internal/`. */
  readonly path: string;
  readonly body: object;
  readonly tooMany: string;
  readonly cannot: string;
}

/** The answer's members. @throws ServiceError `rate-limited`, `unavailable` */
export async function callIdentity(
  client: AuthorizedClient,
  { path, body: asked, tooMany, cannot }: Question,
): Promise<Readonly<Record<string, unknown>>> {
  const { status, body } = await client.call({
    method: 'POST',
    path: `v3/internal/${path}`,
    body: asked,
  });
  if (status === 200) return body as Readonly<Record<string, unknown>>;
  if (status === 429) throw new ServiceError('rate-limited', tooMany);
  throw new ServiceError('unavailable', cannot, {
    cause: new Error(`The identity service answered ${status} to ${path}.`),
  });
}
