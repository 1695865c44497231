import { useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { clientOf } from '../../api/client.js';
import { keys } from '../../api/queries.js';
import type { ProjectScreenProps } from '../../shell/screen-props.js';
import { defineMessages, formatNumber, useMessages } from '../../state/language.js';
import { FailureBanner } from '../../ui/banner.js';
import { Button } from '../../ui/button.js';
import { Card, Page } from '../../ui/page.js';
import { QueryView } from '../../ui/query-view.js';
import { saveFile } from '../../ui/save-file.js';
import { useAction } from '../../ui/use-action.js';
import styles from './usage.module.css';

const MESSAGES = defineMessages({
  en: {
    title: 'Usage',
    description:
      'Usage and limits of this project. The operator of the service can raise the limits.',
    domains: 'Domains',
    records: 'Records in all domains',
    perDomain: (count: string) => `Limit per domain: ${count}.`,
    of: (used: string, limit: string) => `${used} of ${limit}`,
    download: 'Download as CSV',
    downloadText: 'All domains with their number of records, for a spreadsheet.',
    list: 'By domain',
  },
  de: {
    title: 'Nutzung',
    description:
      'Nutzung und Limits dieses Projekts. Der Betreiber des Dienstes kann die Limits erhöhen.',
    domains: 'Domains',
    records: 'Einträge in allen Domains',
    perDomain: (count: string) => `Limit je Domain: ${count}.`,
    of: (used: string, limit: string) => `${used} von ${limit}`,
    download: 'Als CSV herunterladen',
    downloadText: 'Alle Domains mit der Anzahl ihrer Einträge, für eine Tabellenkalkulation.',
    list: 'Nach Domain',
  },
});

export function UsageScreen({ projectId }: ProjectScreenProps) {
  const t = useMessages(MESSAGES);
  const query = useQuery({
    queryKey: [...keys.domains(projectId), 'limits'],
    queryFn: async ({ signal }) => {
      const query = { extended: true };
      return (await clientOf(projectId).call('listLimits', { query }, { signal })).value.limits;
    },
  });
  const download = useAction(
    useCallback(async () => {
      const day = new Date().toISOString().slice(0, 10);
      saveFile(`usage-${day}.csv`, new Blob([await writeUsage(projectId)], { type: 'text/csv' }));
    }, [projectId]),
  );
  return (
    <Page title={t.title} description={t.description}>
      <QueryView query={query}>
        {({ absolute, used }) => (
          <>
            <Card title={t.domains}>
              <p>{t.of(formatNumber(used?.domains ?? 0), formatNumber(absolute.maxDomains))}</p>
              <meter
                className={styles['meter']}
                aria-label={t.domains}
                max={Math.max(1, absolute.maxDomains)}
                high={absolute.maxDomains * 0.9}
                value={used?.domains ?? 0}
              />
            </Card>
            <Card title={t.records}>
              <p>{formatNumber(used?.records ?? 0)}</p>
              <p>{t.perDomain(formatNumber(absolute.maxDomainRecords))}</p>
            </Card>
            <Card title={t.list}>
              <p>{t.downloadText}</p>
              {download.error !== undefined && <FailureBanner error={download.error} />}
              <div>
                <Button
                  icon="download"
                  isBusy={download.isBusy}
                  onClick={() => void download.run()}
                >
                  {t.download}
                </Button>
              </div>
            </Card>
          </>
        )}
      </QueryView>
    </Page>
  );
}

const PAGE_ROWS = 1000;
const COLUMNS = ['domain', 'records', 'created_at', 'last_change_at', 'last_change_by', 'id'];

/**
 * Returns every domain of a project as CSV (RFC 4180). The column names are the same in every language, so that scripts
 * can rely on them.
 */
async function writeUsage(projectId: string): Promise<string> {
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

/**
 * Returns a CSV field. Text that a spreadsheet would run as a formula is quoted, since users choose their own names.
 */
function toField(text: string): string {
  const safe = /^[=+@\-\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
