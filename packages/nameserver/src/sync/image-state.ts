import { IMAGE_STATE, type ImageState } from '../image/layout.js';

/**
 * State of an image that the feed has filled. Without a single zone a nameserver cannot tell which names are its own: it
 * answers SERVFAIL, not REFUSED (ADR 0058).
 */
export function imageStateOf(image: { readonly zones: number }, isStale: boolean): ImageState {
  if (image.zones === 0) return IMAGE_STATE.LOADING;
  return isStale ? IMAGE_STATE.STALE : IMAGE_STATE.CURRENT;
}
