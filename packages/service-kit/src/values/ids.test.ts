import { describe, expect, it } from '@jest/globals';
import { newRequestId, REQUEST_ID_HEADER } from './ids.js';

describe('request ids', () => {
  it('D-REQ-23: are req-<uuid>, in X-Openstack-Request-Id', () => {
    expect(newRequestId()).toMatch(
      /^req-[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/,
    );
    expect(REQUEST_ID_HEADER).toBe('X-Openstack-Request-Id');
  });

  it('differ', () => {
    expect(new Set(Array.from({ length: 100 }, newRequestId)).size).toBe(100);
  });
});
