import {
  absolute,
  type FileForm,
  type FormItem,
  NOTHING,
  quoteText,
  skip,
  toTarget,
  toZoneData,
} from './form-entry.js';
import { iterateJson, type JsonItem } from './json-items.js';

type Members = Readonly<Record<string, unknown>>;

/** Reads the items of one provider's JSON. */
interface JsonForm {
  /** Members that contain the records. */
  readonly lists: readonly string[];
  readonly read: (record: Members, line: number) => FormItem[];
  /** Path of the member that contains the domain's name. */
  readonly domainAt?: string;
}

const FORMS: Readonly<Partial<Record<FileForm, JsonForm>>> = {
  'cloudflare-json': { lists: ['result'], read: readCloudflare },
  route53: { lists: ['ResourceRecordSets'], read: readRoute53 },
  digitalocean: { lists: ['domain_records'], read: readDigitalOcean },
  hetzner: { lists: ['records'], read: readHetzner },
  'hetzner-cloud': { lists: ['rrsets'], read: readRrset },
  'godaddy-json': { lists: ['records'], read: readGoDaddy },
  google: { lists: ['rrsets'], read: readGoogle },
  azure: { lists: ['value'], read: readAzure },
  powerdns: { lists: ['rrsets'], read: readRrset, domainAt: 'name' },
  technitium: {
    lists: ['response', 'zone', 'records'],
    read: readTechnitium,
    domainAt: 'response zone name',
  },
};

/** Yields the records of a JSON file in a known format. Throws FormFault. */
export function* iterateJsonForm(form: FileForm, text: string): Generator<FormItem> {
  const { lists, read, domainAt } = FORMS[form] ?? OCTODNS;
  for (const item of iterateJson(text, new Set(lists))) {
    const { line, path, value } = item;
    const at = path.join(' ');
    if (at === domainAt && typeof value === 'string') yield { domain: absolute(value) };
    else if (form === 'octodns') yield* readOctodns(item);
    else if (isMembers(value) && lists.includes(path.at(-1) ?? lists[0] ?? ''))
      yield* read(value, line);
    else yield NOTHING;
  }
}

/** octoDNS has no list of records: its members have the owner names. */
const OCTODNS: JsonForm = { lists: [], read: () => [] };

/** Reads a recordset of gcloud, whose YAML and JSON have the same members. */
export function readGoogle(record: Members, line: number): FormItem[] {
  const { name, type } = textsOf(record);
  if (record['routingPolicy'] !== undefined) {
    return [
      skip(
        line,
        'alias',
        `${name} ${type} has a routing policy; create the records that all clients should get.`,
      ),
    ];
  }
  const [owner, ttl] = [absolute(name), ttlOf(record['ttl'])];
  return listOf(record['rrdatas']).map((value) => {
    const data = toZoneData(type, String(value));
    return { line, name: owner, type, ttl, data };
  });
}

function readCloudflare(record: Members, line: number): FormItem[] {
  const { name, type, content } = textsOf(record);
  const { priority, ttl } = record;
  const data = type === 'MX' || type === 'URI' ? `${textOf(priority)} ${content}` : content;
  return [
    {
      ...{ line, name: absolute(name), type },
      ttl: ttl === 1 ? CLOUDFLARE_AUTO_TTL : ttlOf(ttl),
      data: toZoneData(
        type,
        type === 'SRV' && words(data) === 3 ? `${textOf(priority)} ${data}` : data,
      ),
      ...describe(record['comment']),
      ...tagsOf(record['tags']),
      ...(record['proxied'] === true ? { isProxied: true } : {}),
    },
  ];
}

/** The TTL in seconds that Cloudflare uses for a record with the TTL "Auto". */
export const CLOUDFLARE_AUTO_TTL = 300;

function readRoute53(record: Members, line: number): FormItem[] {
  const type = textOf(record['Type']);
  // Route 53 escapes octets in octal: an asterisk is \052.
  const name = absolute(fromOctal(textOf(record['Name'])));
  const alias = record['AliasTarget'];
  if (isMembers(alias)) {
    const target = textOf(alias['DNSName']);
    return [
      skip(
        line,
        'alias',
        `${name} ${type} is an alias of ${target}, which only Route 53 resolves. Create ${type} records with the addresses of ${target}, or a CNAME record if the name is below the domain.`,
      ),
    ];
  }
  const policy = POLICIES.find((member) => record[member] !== undefined);
  if (policy !== undefined && !isFirst(record)) {
    return [
      skip(
        line,
        'alias',
        `${name} ${type} has a routing policy (${policy}: ${textOf(record[policy])}). Create the record that all clients should get.`,
      ),
    ];
  }
  const ttl = ttlOf(record['TTL']);
  return listOf(record['ResourceRecords'])
    .filter(isMembers)
    .map((value) => {
      const data = withDecimalEscapes(toZoneData(type, textOf(value['Value'])));
      return { line, name, type, ttl, data };
    });
}

const POLICIES = [
  'Weight',
  'Region',
  'GeoLocation',
  'Failover',
  'MultiValueAnswer',
  'CidrRoutingConfig',
  'GeoProximityLocation',
];

/** Returns whether the record is the one that answers while nothing has failed. */
function isFirst({ Failover, MultiValueAnswer }: Members): boolean {
  return Failover === 'PRIMARY' || MultiValueAnswer === true;
}

const OCTAL_DIGITS = 3;

function fromOctal(name: string): string {
  return mapOctal(name, (octet) => {
    const letter = String.fromCharCode(octet);
    const isPlain = /[\w*/-]/.test(letter);
    return isPlain ? letter : `\\${String(octet).padStart(OCTAL_DIGITS, '0')}`;
  });
}

/** Returns the same octets with the escapes of a zone file. */
function withDecimalEscapes(data: string): string {
  return mapOctal(data, (octet) => `\\${String(octet).padStart(OCTAL_DIGITS, '0')}`);
}

function mapOctal(text: string, write: (octet: number) => string): string {
  if (!text.includes('\\')) return text;
  return text.replaceAll(/\\([0-3][0-7]{2})/g, (_all, digits: string) =>
    write(parseInt(digits, 8)),
  );
}

function readDigitalOcean(record: Members, line: number): FormItem[] {
  const { name, type, data } = textsOf(record);
  const { priority, port, weight, flags, tag, ttl } = record;
  const target = toTarget(data);
  const written: Readonly<Record<string, string>> = {
    MX: `${textOf(priority)} ${target}`,
    SRV: `${textOf(priority)} ${textOf(weight)} ${textOf(port)} ${target}`,
    CAA: `${textOf(flags)} ${textOf(tag)} ${quoteText(data.replace(/\.$/, ''))}`,
  };
  return [
    {
      line,
      name: nameOf(name),
      type,
      ttl: ttlOf(ttl),
      data: written[type] ?? toZoneData(type, data),
    },
  ];
}

function readHetzner(record: Members, line: number): FormItem[] {
  const { name, type, value } = textsOf(record);
  return [
    { line, name: nameOf(name), type, ttl: ttlOf(record['ttl']), data: toZoneData(type, value) },
  ];
}

/** Reads a recordset of the Hetzner Cloud API (`value`) or of PowerDNS (`content`). */
function readRrset(record: Members, line: number): FormItem[] {
  const { name, type } = textsOf(record);
  const notes = listOf(record['comments']).filter(isMembers);
  return listOf(record['records'])
    .filter(isMembers)
    .map((each) => {
      const data = textOf(each['content'] ?? each['value']);
      if (each['disabled'] === true) return disabled(line, name, type);
      const ttl = ttlOf(record['ttl']);
      const entry = { line, name: nameOf(name), type, ttl, data: toZoneData(type, data) };
      return { ...entry, ...describe(each['comment'] ?? notes[0]?.['content']) };
    });
}

function disabled(line: number, name: string, type: string): FormItem {
  return skip(
    line,
    'disabled',
    `${name} ${type} is disabled there; create it if it should be published.`,
  );
}

function readGoDaddy(record: Members, line: number): FormItem[] {
  const { name, type, data } = textsOf(record);
  if (type === 'A' && data === 'Parked') {
    return [
      skip(
        line,
        'alias',
        `${name} A is "Parked", the page of GoDaddy; create A records with the addresses of your server.`,
      ),
    ];
  }
  const { priority, weight, port, service, protocol, ttl } = record;
  const target = toTarget(data);
  const isSrv = type === 'SRV' && service !== undefined;
  const owner = isSrv
    ? `${textOf(service)}.${textOf(protocol)}${name === '@' ? '' : `.${name}`}`
    : nameOf(name);
  const written: Readonly<Record<string, string>> = {
    MX: `${textOf(priority)} ${target}`,
    SRV: `${textOf(priority)} ${textOf(weight)} ${textOf(port)} ${target}`,
  };
  return [
    { line, name: owner, type, ttl: ttlOf(ttl), data: written[type] ?? toZoneData(type, data) },
  ];
}

/** Members of an Azure recordset that contain records, in lower case because their case depends on the tool. */
const AZURE: Readonly<Record<string, (record: Members) => string>> = {
  arecords: (record) => textOf(record['ipv4Address']),
  aaaarecords: (record) => textOf(record['ipv6Address']),
  nsrecords: (record) => toTarget(textOf(record['nsdname'])),
  ptrrecords: (record) => toTarget(textOf(record['ptrdname'])),
  cnamerecord: (record) => toTarget(textOf(record['cname'])),
  mxrecords: (record) => `${textOf(record['preference'])} ${toTarget(textOf(record['exchange']))}`,
  srvrecords: (record) =>
    `${['priority', 'weight', 'port'].map((member) => textOf(record[member])).join(' ')} ${toTarget(textOf(record['target']))}`,
  txtrecords: (record) =>
    listOf(record['value'])
      .map((text) => quoteText(String(text)))
      .join(' '),
  caarecords: (record) =>
    `${textOf(record['flags'])} ${textOf(record['tag'])} ${quoteText(textOf(record['value']))}`,
};

function readAzure(record: Members, line: number): FormItem[] {
  const { name, type: path } = textsOf(record);
  const members = isMembers(record['properties']) ? { ...record, ...record['properties'] } : record;
  const type = path.slice(path.lastIndexOf('/') + 1);
  if (type === 'SOA') return [];
  const ttl = ttlOf(members['TTL'] ?? members['ttl']);
  const target = members['targetResource'];
  if (isMembers(target) && typeof target['id'] === 'string') {
    return [
      skip(
        line,
        'alias',
        `${name} ${type} is an alias of the Azure resource ${target['id']}. Create ${type} records with its addresses.`,
      ),
    ];
  }
  return Object.entries(members).flatMap(([member, value]): FormItem[] => {
    const write = AZURE[member.toLowerCase()];
    if (write === undefined) return [];
    const records = Array.isArray(value) ? value : [value];
    return records
      .filter(isMembers)
      .map((each) => ({ line, name: nameOf(name), type, ttl, data: write(each) }));
  });
}

/** The members of Technitium's `rData` for each type, in the order of the rdata. */
const TECHNITIUM: Readonly<Record<string, readonly string[]>> = {
  A: ['ipAddress'],
  AAAA: ['ipAddress'],
  NS: ['nameServer'],
  CNAME: ['cname'],
  PTR: ['ptrName'],
  DNAME: ['dname'],
  MX: ['preference', 'exchange'],
  SRV: ['priority', 'weight', 'port', 'target'],
  TXT: ['text'],
};

function readTechnitium(record: Members, line: number): FormItem[] {
  const { name, type } = textsOf(record);
  if (record['disabled'] === true) return [disabled(line, name, type)];
  const values = isMembers(record['rData']) ? record['rData'] : {};
  const members = TECHNITIUM[type];
  if (type === 'SOA') return [];
  if (members === undefined && type !== 'CAA') {
    return [
      skip(
        line,
        'unsupported-type',
        `${name} ${type} cannot be imported from this JSON; use the zone file export of Technitium.`,
      ),
    ];
  }
  const data =
    type === 'CAA'
      ? `${textOf(values['flags'])} ${textOf(values['tag'])} ${quoteText(textOf(values['value']))}`
      : toZoneData(type, (members ?? []).map((member) => textOf(values[member])).join(' '));
  return [
    ...[
      {
        line,
        name: absolute(name),
        type,
        ttl: ttlOf(record['ttl']),
        data,
        ...describe(record['comments']),
      },
    ],
  ];
}

function* readOctodns({ line, path, value }: JsonItem): Generator<FormItem> {
  yield* readOctodnsName(path[0] ?? '', value, line);
}

/** Reads the records of octoDNS at a name, which are an object or a list of objects. */
export function readOctodnsName(name: string, value: unknown, line: number): FormItem[] {
  return (Array.isArray(value) ? value : [value])
    .filter(isMembers)
    .flatMap((record) => readOctodnsRecord(nameOf(name), record, line));
}

function readOctodnsRecord(name: string, record: Members, line: number): FormItem[] {
  const type = textOf(record['type']);
  if (type === 'ALIAS' || type === 'URLFWD') {
    return [
      skip(
        line,
        'alias',
        `${name} ${type} of ${textOf(record['value'])} does not exist in DNS. Create A and AAAA records with the addresses of the target.`,
      ),
    ];
  }
  if (record['dynamic'] !== undefined) {
    return [
      skip(
        line,
        'alias',
        `${name} ${type} has dynamic pools; only their default values are imported.`,
      ),
      ...octodnsValues(name, record, line),
    ];
  }
  return octodnsValues(name, record, line);
}

function octodnsValues(name: string, record: Members, line: number): FormItem[] {
  const type = textOf(record['type']);
  const ttl = ttlOf(record['ttl']);
  const values = record['values'] === undefined ? [record['value']] : listOf(record['values']);
  return values.map((value) => ({ line, name, type, ttl, data: octodnsData(type, value) }));
}

/** Members of values that are objects, in the order of the rdata; older files use other names. */
const OCTODNS_MEMBERS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  MX: [
    ['preference', 'priority'],
    ['exchange', 'value'],
  ],
  SRV: [['priority'], ['weight'], ['port'], ['target']],
  SSHFP: [['algorithm'], ['fingerprint_type'], ['fingerprint']],
  TLSA: [['certificate_usage'], ['selector'], ['matching_type'], ['certificate_association_data']],
  DS: [['key_tag'], ['algorithm'], ['digest_type'], ['digest']],
  NAPTR: [['order'], ['preference'], ['flags'], ['service'], ['regexp'], ['replacement']],
};

function octodnsData(type: string, value: unknown): string {
  // octoDNS requires escaped semicolons in texts.
  if (type === 'TXT' || type === 'SPF') return quoteText(textOf(value).replaceAll('\\;', ';'));
  if (!isMembers(value)) return toZoneData(type, textOf(value));
  if (type === 'CAA') {
    return `${textOf(value['flags'])} ${textOf(value['tag'])} ${quoteText(textOf(value['value']))}`;
  }
  const isQuoted = type === 'NAPTR';
  const fields = (OCTODNS_MEMBERS[type] ?? []).map((names, at) => {
    const text = textOf(names.map((each) => value[each]).find((each) => each !== undefined));
    return isQuoted && at > 1 && at < 5 ? quoteText(text) : text;
  });
  return isQuoted ? fields.join(' ') : toZoneData(type, fields.join(' '));
}

/** Returns the name of a record; an empty name and `@` stand for the domain. */
function nameOf(name: string): string {
  return name === '' ? '@' : name;
}

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
}

/** Returns members as texts, which are empty for missing members and other values. */
function textsOf(record: Members) {
  return {
    name: textOf(record['name']),
    type: textOf(record['type']),
    data: textOf(record['data']),
    content: textOf(record['content']),
    value: textOf(record['value']),
  };
}

function ttlOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

function words(text: string): number {
  return text.split(' ').filter((word) => word !== '').length;
}

function describe(comment: unknown) {
  return typeof comment === 'string' && comment.trim() !== ''
    ? { description: comment.trim() }
    : {};
}

function tagsOf(tags: unknown) {
  const texts = listOf(tags).map(String);
  return texts.length === 0 ? {} : { tags: texts };
}
