import type { AccessKey, Client } from '@zonewright/client';

export const PRESETS = ['everything', 'read', 'acme', 'dyndns', 'domain'] as const;
export type Preset = (typeof PRESETS)[number];

type NewKey = Parameters<Client['keys']['create']>[0];

export interface KeyWish {
  readonly name: string;
  readonly preset: Preset;
  /** With the dot at its end; of the presets that are about one. */
  readonly domain: string;
  readonly record: string;
  readonly days: number;
}

/** What the identity service is asked for (docs/operations/keys.md). */
export function toNewKey({ name, days, ...wish }: KeyWish, tenantId: string): NewKey {
  return {
    validTo: Date.now() + days * 86_400_000,
    otherAttributes: { name, ...restrictionOf(wish, tenantId) },
  };
}

function restrictionOf(
  { preset, domain: zone, record }: Omit<KeyWish, 'name' | 'days'>,
  tenantId: string,
): NonNullable<NewKey['otherAttributes']> {
  const rule = { zone, actions: ['read', 'update'] };
  switch (preset) {
    case 'everything':
      return { restrictions: { tenantId } };
    case 'read':
      return { restrictions: { tenantId, rules: [{ zone: '*', actions: ['read'] }] } };
    case 'acme':
      return { preset, zone, tenantId };
    case 'dyndns':
      return {
        restrictions: { tenantId, rules: [{ ...rule, name: record, types: ['A', 'AAAA'] }] },
      };
    case 'domain':
      return { restrictions: { tenantId, rules: [rule] } };
  }
}

/** Another key that may do the same, for as long from now on. */
export function toRenewed({ otherAttributes, validFrom, validTo }: AccessKey): NewKey {
  return { otherAttributes, validTo: Date.now() + (validTo - validFrom) };
}
