import type { AccessRule } from '@zonewright/dns-records';

/** Rules that many need, by name; what differs is the zone. */
const PRESETS: Readonly<Record<string, (zone: unknown) => unknown[]>> = {
  /** The challenges of ACME (RFC 8555 s8.4), for all names of a zone. */
  acme: (zone): (Omit<AccessRule, 'zone'> & { zone: unknown })[] => [
    { zone, name: '_acme-challenge.**', types: ['TXT'], actions: ['read', 'update'] },
  ],
};

export const PRESET_NAMES = Object.keys(PRESETS);

/** The rules of a preset, as a caller would write them; undefined: there is no such preset. */
export function presetRules(preset: unknown, zone: unknown): unknown[] | undefined {
  const isKnown = typeof preset === 'string' && Object.hasOwn(PRESETS, preset);
  return isKnown ? PRESETS[preset]?.(zone) : undefined;
}
