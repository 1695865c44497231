import fc from 'fast-check';
import { isOpen } from './open-faults.js';
import type { Who } from './use-write-platform.js';

export const ZONES = ['parent', 'child', 'promoted'] as const;
export type ZoneRole = (typeof ZONES)[number];

const LABELS = ['', '*', 'www', 'a', 'kid', 'www.kid'] as const;

const KINDS = [
  ...['create', 'create', 'create', 'update', 'update', 'delete'],
  ...['create-set', 'update-set', 'delete-set', 'batch', 'import', 'message', 'message'],
  ...['zone', 'restore', 'revert', 'make-child', 'remove-child', 'bring-child-back'],
] as const;

/** The properties of a record except its name and TTL. */
export interface Content {
  readonly type: 'A' | 'AAAA' | 'TXT' | 'CNAME' | 'MX' | 'NS' | 'DS';
  readonly data: string;
  readonly priority?: number;
}

const longText = (octets: number) => `"${'y'.repeat(200)}" `.repeat(octets / 200).trim();
const DIGEST = '2BB183AF5F22588179A53B0A98631FAD1A292118A2BB183AF5F22588179A53B0';

/** All contents; `@` at the end of a name stands for the parent zone. */
const CONTENTS: readonly Content[] = [
  { type: 'A', data: '192.0.2.1' },
  { type: 'A', data: '192.0.2.2' },
  { type: 'TXT', data: '"some text"' },
  { type: 'MX', data: 'www.@', priority: 10 },
  { type: 'MX', data: 'mail.example.net.', priority: 5 },
  { type: 'CNAME', data: 'target.example.net.' },
  { type: 'CNAME', data: 'www.@' },
  { type: 'NS', data: 'ns1.example.net.' },
  { type: 'NS', data: 'ns2.example.net.' },
  { type: 'AAAA', data: '2001:db8::1' },
  { type: 'TXT', data: longText(400) },
  { type: 'TXT', data: longText(4_000) },
  ...(isOpen('DS') ? [] : [{ type: 'DS', data: `4711 13 2 ${DIGEST}` } as const]),
];

/** An operation. Each kind uses only the members that it needs, so that any of them can be reduced. */
export interface Operation {
  readonly kind: string;
  readonly who: Who;
  readonly zone: ZoneRole;
  readonly label: string;
  readonly contents: readonly Content[];
  readonly ttl: number | null;
  /** The index of an existing record, recordset or serial. */
  readonly pick: number;
  readonly flag: 'none' | 'off' | 'on' | 'ends';
  /** Whether the operation is confirmed, replaces all records, or has a prerequisite. */
  readonly isSure: boolean;
  /** Whether twin A makes the operation at the same time as the one before. */
  readonly joins: boolean;
}

/** The initial state of the zones. */
export interface Beginning {
  readonly isSigned: boolean;
  readonly hasPromoted: boolean;
  readonly hasChild: boolean;
}

export interface Sequence {
  readonly beginning: Beginning;
  readonly operations: readonly Operation[];
}

const mostly = <T>(usual: T, ...others: T[]) =>
  fc.oneof({ weight: 4, arbitrary: fc.constant(usual) }, fc.constantFrom(...others));

const operation: fc.Arbitrary<Operation> = fc.record({
  kind: fc.constantFrom(...KINDS),
  who: mostly<Who>('owner', 'restricted', 'sharer'),
  zone: mostly<ZoneRole>('parent', 'child', 'promoted'),
  label: fc.constantFrom<string>(...LABELS),
  contents: fc.array(fc.constantFrom(...CONTENTS), { minLength: 1, maxLength: 3 }),
  ttl: fc.constantFrom(null, 60, 3_600),
  pick: fc.nat(99),
  flag: mostly<Operation['flag']>('none', 'off', 'on', 'ends'),
  isSure: fc.boolean(),
  joins: fc.boolean(),
});

/** Returns sequences of `length` operations on average. */
export function sequences(length: number): fc.Arbitrary<Sequence> {
  return fc.record({
    beginning: fc.record({
      isSigned: mostly(false, true),
      hasPromoted: mostly(false, true),
      hasChild: fc.boolean(),
    }),
    operations: fc.array(operation, { minLength: 1, maxLength: 2 * length - 1, size: 'max' }),
  });
}
