import type { RecordInput, Recordset, RecordFields } from '@zonewright/zones';
import type { Problem } from '@zonewright/service-kit';

/** Types with the priority before their data, in a text of v2. */
const WITH_PRIORITY: ReadonlySet<unknown> = new Set(['MX', 'SRV']);

const EXAMPLES: Readonly<Record<string, string>> = {
  MX: '10 mail.example.com.',
  SRV: '10 20 5060 sip.example.com.',
};

/** A record as v2 writes it: in one text. */
function renderRecordText({ priority, data }: Pick<RecordFields, 'priority' | 'data'>) {
  return priority === null ? data : `${priority} ${data}`;
}

/** The records of a recordset: what the service provides, then what users have written, the oldest first. */
export function renderRecordTexts({ provided, rows }: Recordset): string[] {
  return [...provided, ...rows.map(renderRecordText)];
}

/** Takes the text of a record apart; what is wrong with its parts, the core says. */
export function readRecordText(type: unknown, text: unknown): RecordInput {
  if (!WITH_PRIORITY.has(type) || typeof text !== 'string') return { data: text, priority: null };
  const [, priority, data] = /^\s*(\d{1,10})\s+(\S[^]*)$/.exec(text) ?? [];
  return priority === undefined || data === undefined
    ? { data: text, priority: undefined }
    : { data, priority: Number(priority) };
}

/** Problems of a list that must contain texts of records. */
export function checkRecordTexts(type: unknown, records: unknown): Problem[] {
  if (!Array.isArray(records) || records.length === 0) {
    const message = 'records must be a list of one or more texts, such as ["192.0.2.1"].';
    return [{ path: 'records', validator: 'type', message }];
  }
  return records.flatMap((text, at): Problem[] => {
    const path = `records[${at}]`;
    if (typeof text !== 'string') {
      return [{ path, validator: 'type', message: `${path} must be a text.` }];
    }
    const { priority } = readRecordText(type, text);
    if (priority !== undefined) return [];
    const example = EXAMPLES[String(type)] ?? '';
    const message = `${path} of type ${String(type)} begins with its priority; write a text such as ${JSON.stringify(example)}.`;
    return [{ path, validator: 'format', message }];
  });
}
