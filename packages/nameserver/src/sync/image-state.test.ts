import { describe, expect, it } from '@jest/globals';
import { IMAGE_STATE } from '../image/layout.js';
import { imageStateOf } from './follow-feed.js';

describe('ADR 0020: the state of an image that the feed has filled', () => {
  it.each([
    ['without a zone', 0, false, IMAGE_STATE.LOADING],
    ['without a zone, and stale', 0, true, IMAGE_STATE.LOADING],
    ['with a zone', 1, false, IMAGE_STATE.CURRENT],
    ['with a zone, and stale', 1, true, IMAGE_STATE.STALE],
  ])('%s', (_, zones, isStale, expected) => {
    expect(imageStateOf({ zones }, isStale)).toBe(expected);
  });
});
