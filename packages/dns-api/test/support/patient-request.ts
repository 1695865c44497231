import request, { type Response, type Test } from 'supertest';

type Method = 'get' | 'head' | 'post' | 'put' | 'patch' | 'delete';

/** Attempts before a 503 is the response: a busy machine gives some, and a real fault gives nothing else. */
const ATTEMPTS = 100;

/** Creates requests to a URL that are repeated after 503, which means that nothing was changed. */
export function patientRequest(url: string): (method: Method, path: string) => Test {
  return (method, path) =>
    request(url)
      [method](path)
      .retry(ATTEMPTS, (_, response: Response | undefined) => response?.status === 503);
}
