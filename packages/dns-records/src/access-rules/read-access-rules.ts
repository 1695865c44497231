import { checkDomainName } from '../checks/domain.js';
import { inQuotes } from '../values/problem.js';
import { toAsciiDomainName } from '../names/to-ascii-domain-name.js';
import { typeMnemonic, typeNumber } from '../values/rr-type.js';
import { ACCESS_ACTIONS, type AccessAction, type AccessRule, ANY } from './access-rule.js';
import { readNamePattern } from './name-pattern.js';

/** Error in a member. `what` continues a sentence that begins with its path. */
export interface RuleFault {
  readonly path: string;
  readonly what: string;
}

const MAX_ACCESS_RULES = 100;
const MAX_TYPES = 100;
const MEMBERS: readonly string[] = ['zone', 'name', 'types', 'actions'];
/** Pattern for all names of the zone. */
const ALL_NAMES = '**';

type AddFault = (path: string, what: string) => void;

/** Reads rules in the form of a request. Invalid rules are omitted from the result. */
export function readAccessRules(value: unknown): {
  readonly rules: readonly AccessRule[];
  readonly faults: readonly RuleFault[];
} {
  if (!Array.isArray(value) || value.length === 0 || value.length > MAX_ACCESS_RULES) {
    const what = `must be a list of 1 to ${MAX_ACCESS_RULES} rules`;
    return { rules: [], faults: [{ path: 'rules', what }] };
  }
  const faults: RuleFault[] = [];
  const rules = value.flatMap((item: unknown, index) =>
    readRule(item, (path, what) => {
      faults.push({ path: `rules[${index}]${path === '' ? '' : `.${path}`}`, what });
    }),
  );
  return { rules, faults };
}

function readRule(value: unknown, add: AddFault): AccessRule[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    add('', `must be an object with the members ${MEMBERS.join(', ')}`);
    return [];
  }
  const members = new Map(Object.entries(value));
  for (const member of members.keys()) {
    if (MEMBERS.includes(member)) continue;
    add(member.slice(0, 64), `is not a member of a rule; the members are ${MEMBERS.join(', ')}`);
  }
  const zone = readZone(members.get('zone'), add);
  const name = readName(members.get('name') ?? ALL_NAMES, add);
  const types = readTypes(members.get('types') ?? [ANY], add);
  const actions = readActions(members.get('actions'), add);
  return [{ zone, name, types, actions }];
}

function readZone(value: unknown, add: AddFault): string {
  if (value === ANY) return ANY;
  const [problem] = checkDomainName(value);
  if (problem === undefined) return toAsciiDomainName(value as string);
  add('zone', `must be "${ANY}" or the name of a zone: ${problem.message}`);
  return '';
}

function readName(value: unknown, add: AddFault): string {
  const reading =
    typeof value === 'string'
      ? readNamePattern(value)
      : { fault: 'must be a string such as "_acme-challenge.**"' };
  if ('pattern' in reading) return reading.pattern;
  add('name', reading.fault);
  return '';
}

function readTypes(value: unknown, add: AddFault): string[] {
  const types = readTexts(value, MAX_TYPES);
  if (types === undefined) {
    add('types', `must be a list of record types such as ["TXT"], or ["${ANY}"] for all`);
    return [];
  }
  if (types.length === 1 && types[0] === ANY) return [ANY];
  const mnemonics = types.map((type, index) => {
    const number = typeNumber(type);
    if (number === undefined)
      add(`types[${index}]`, `is ${inQuotes(type)}, which is not a record type`);
    return typeMnemonic(number ?? 0);
  });
  return [...new Set(mnemonics)];
}

function readActions(value: unknown, add: AddFault): AccessAction[] {
  const actions = readTexts(value, ACCESS_ACTIONS.length) ?? [];
  const known = ACCESS_ACTIONS.filter((action) => actions.includes(action));
  if (known.length === 0 || known.length < new Set(actions).size) {
    add('actions', `must be a list of one or more of ${ACCESS_ACTIONS.join(', ')}`);
  }
  return known;
}

function readTexts(value: unknown, max: number): string[] | undefined {
  const isList = Array.isArray(value) && value.length > 0 && value.length <= max;
  return isList && value.every((item) => typeof item === 'string') ? value : undefined;
}
