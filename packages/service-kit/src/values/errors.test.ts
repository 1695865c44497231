import { describe, expect, it } from '@jest/globals';
import { ServiceError } from './errors.js';

describe('ServiceError', () => {
  it('carries a kind, a message for the caller, details and a cause', () => {
    const cause = new Error('duplicate key');
    const error = new ServiceError('conflict', 'The name exists.', { details: ['name'], cause });

    expect(error).toBeInstanceOf(Error);
    expect(error).toMatchObject({ name: 'ServiceError', kind: 'conflict', details: ['name'] });
    expect(error.cause).toBe(cause);
  });

  it('has no cause when none was given', () => {
    expect(Object.hasOwn(new ServiceError('invalid', 'x'), 'cause')).toBe(false);
  });
});
