import type { Context } from '../context/context.js';

/** Returns the rules for the primaries of all tenants. */
export function secondaryRules({ settings }: Context) {
  return { keyring: settings.transferKeys, mayBePrivate: settings.secondaries.mayBePrivate };
}
