import { ServiceError } from './errors/service-error.js';

/** There are more requests than can be answered. Its kind makes it a 503 with Retry-After in each API's form. */
export class Overload extends ServiceError {
  constructor() {
    super('unavailable', 'The service has more requests than it can answer now; try again.');
  }
}
