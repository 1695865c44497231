import type { AccessKey, Client } from '@zonewright/client';

export const PRESETS = ['everything', 'read', 'acme', 'dyndns', 'domain', 'custom'] as const;
export type Preset = (typeof PRESETS)[number];

type NewKey = Parameters<Client['keys']['create']>[0];

export interface KeyForm {
  readonly name: string;
  readonly preset: Preset;
  /** Domain with a trailing dot, for presets with one domain. */
  readonly domain: string;
  readonly record: string;
  readonly days: number;
  /** Rules of the preset `custom`. */
  readonly rules: readonly RuleForm[];
  /** Networks from which the key may be used. Empty means anywhere. */
  readonly networks: string;
}

/** Rule as entered in the form. One field may contain several types. */
export interface RuleForm {
  /** `*` means all domains. */
  readonly zone: string;
  readonly name: string;
  readonly types: string;
  readonly isChanging: boolean;
}

export const EMPTY_RULE: RuleForm = { zone: '*', name: '', types: '', isChanging: true };

/** Returns the request body for the identity service (docs/operations/keys.md). */
export function toNewKey({ name, days, ...wish }: KeyForm, tenantId: string): NewKey {
  return {
    validTo: Date.now() + days * 86_400_000,
    otherAttributes: { name, ...restrictionOf(wish, tenantId) },
  };
}

function restrictionOf(
  { preset, domain: zone, record, rules, networks }: Omit<KeyForm, 'name' | 'days'>,
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
    case 'custom':
      return {
        restrictions: { tenantId, rules: rules.map(toRule), networks: wordsOf(networks) },
      };
  }
}

type Rule = NonNullable<
  NonNullable<NonNullable<NewKey['otherAttributes']>['restrictions']>['rules']
>[number];

function toRule({ zone, name, types, isChanging }: RuleForm): Rule {
  return {
    zone,
    actions: isChanging ? ['read', 'update'] : ['read'],
    ...(name.trim() === '' ? {} : { name: name.trim() }),
    ...(wordsOf(types).length === 0 ? {} : { types: wordsOf(types.toUpperCase()) }),
  };
}

function wordsOf(text: string): string[] {
  return text.split(/[\s,;]+/).filter((word) => word !== '');
}

/** Returns the request for another key with the same rights, valid for the same time from now on. */
export function toRenewed({ otherAttributes, validFrom, validTo }: AccessKey): NewKey {
  return { otherAttributes, validTo: Date.now() + (validTo - validFrom) };
}
