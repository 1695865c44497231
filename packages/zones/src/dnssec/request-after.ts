import type { SigningState, RequestedSigning } from '../rows/signing-state.js';

/** Requests of users about a zone that is signed, or is about to be signed or unsigned. */
export type SigningRequest = 'sign' | 'leave' | 'unsign';

/**
 * Request that the signer finds after a user's request. The last request wins: an earlier one that the signer has not done yet is
 * replaced or cancelled. Null if the signer has nothing to do but what the state of the zone asks for.
 */
export function requestAfter(
  { state, wish }: { readonly state: SigningState; readonly wish: RequestedSigning | null },
  request: SigningRequest,
): RequestedSigning | null {
  switch (request) {
    case 'sign':
      if (wish === 'rollover') return wish;
      return state === 'leaving' || state === 'unsigning' ? 'stay' : null;
    case 'leave':
      // While the first signing is in progress, no resolver has seen the zone signed.
      if (state === 'signing') return 'unsign';
      return state === 'signed' ? 'leave' : null;
    case 'unsign':
      return 'unsign';
  }
}
