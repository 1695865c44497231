import { createReadStream } from 'node:fs';
import { JSONParser } from '@streamparser/json';
import type { TenantPart as AccountTenantPart } from '@zonewright/accounts';
import { ServiceError } from '@zonewright/service-kit';
import type { MxTargetCheck } from '@zonewright/zones';

/**
 * Format of an exported account, version 1 (docs/account-export.schema.json). Its sections have a fixed order, so
 * that a reader needs one pass. Times are RFC 3339 in UTC.
 */
export const DOCUMENT_FORMAT = 'zonewright-account';
export const DOCUMENT_VERSION = 1;

/** A tenant with its limits in the DNS service. */
export interface TenantPart extends AccountTenantPart {
  readonly quota: {
    readonly maxDomains: number | null;
    readonly maxDomainRecords: number | null;
    /** Absent if the tenant has no rule. */
    readonly mxTargetCheck?: MxTargetCheck;
  } | null;
}

/** The sections that are lists, in their order. */
const LISTS = ['users', 'tenants', 'roleAssignments', 'accessKeys', 'domains'] as const;
export type ListName = (typeof LISTS)[number];

/** One value of a document: a member at the start, or an entry of a list. */
export type DocumentItem =
  | { readonly section: 'head'; readonly name: string; readonly value: unknown }
  | { readonly section: ListName; readonly index: number; readonly value: unknown };

const HEAD = ['format', 'version', 'secrets', 'encryption', 'accountDomain'];

/**
 * Reads a document in one pass. Memory holds one entry at a time; the largest entry is a domain with its records.
 * @throws ServiceError invalid if it is not JSON or cannot be read
 */
export async function* readDocument(path: string): AsyncIterable<DocumentItem> {
  const items: DocumentItem[] = [];
  const parser = new JSONParser({
    paths: [...HEAD.map((name) => `$.${name}`), ...LISTS.map((name) => `$.${name}.*`)],
    keepStack: false,
  });
  parser.onValue = ({ value, key, stack }) => {
    const section = LISTS.find((name) => name === stack[1]?.key);
    if (section !== undefined && typeof key === 'number')
      items.push({ section, index: key, value });
    else if (typeof key === 'string') items.push({ section: 'head', name: key, value });
  };
  try {
    for await (const chunk of createReadStream(path)) {
      parser.write(chunk as Buffer);
      yield* items.splice(0);
    }
    if (!parser.isEnded) throw new Error('it is incomplete');
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    throw new ServiceError(
      'invalid',
      `${path} is not a JSON document: ${(error as Error).message}`,
      {
        cause: error,
      },
    );
  }
}
