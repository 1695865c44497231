import { clientOf } from '../../api/client.js';

const PAGE_ROWS = 1000;
const COLUMNS = ['domain', 'records', 'created_at', 'last_change_at', 'last_change_by', 'id'];

/** Every domain of a project as CSV (RFC 4180), with column names that scripts can rely on in every language. */
export async function writeUsage(projectId: string): Promise<string> {
  const lines = [COLUMNS];
  let marker: string | undefined;
  do {
    const query = {
      ...{ extended: true, limit: PAGE_ROWS, sort: 'name' as const },
      ...(marker === undefined ? {} : { marker }),
    };
    const { domains } = (await clientOf(projectId).call('listDomains', { query })).value;
    for (const {
      id,
      name,
      record_count: records,
      created_at: made,
      last_change: change,
    } of domains)
      lines.push([
        name.replace(/\.$/, ''),
        String(records ?? ''),
        `${made}Z`,
        change == null ? '' : `${change.at}Z`,
        change?.user_name ?? '',
        id,
      ]);
    marker = domains.length < PAGE_ROWS ? undefined : domains.at(-1)?.id;
  } while (marker !== undefined);
  return lines.map((line) => `${line.map(toField).join(',')}\r\n`).join('');
}

/** Quotes text that a spreadsheet would run as a formula: users choose their own names. */
function toField(text: string): string {
  const safe = /^[=+@\-\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
