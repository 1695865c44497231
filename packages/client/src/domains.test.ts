import { expect, it } from '@jest/globals';
import { defaultEmail } from './domains.js';

it.each([
  ['example.com.', 'hostmaster@example.com'],
  ['2.0.192.in-addr.arpa', 'hostmaster@2.0.192.in-addr.arpa'],
  ['0/25.2.0.192.in-addr.arpa.', 'hostmaster@2.0.192.in-addr.arpa'],
])('the e-mail address of %s is %s', (name, email) => {
  expect(defaultEmail(name)).toBe(email);
});
