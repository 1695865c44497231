import { useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { clientOf } from '../../api/client.js';
import { keys } from '../../api/queries.js';
import { defineMessages, formatNumber, useMessages } from '../../messages/language.js';
import type { ProjectScreenProps } from '../../shell/screen-props.js';
import { Button } from '../../ui/button.js';
import { FailureBanner } from '../../ui/failure.js';
import { Card, Page } from '../../ui/page.js';
import { QueryView } from '../../ui/query-view.js';
import { saveFile } from '../../ui/save-file.js';
import { useAction } from '../../ui/use-action.js';
import styles from './usage.module.css';
import { writeUsage } from './write-usage.js';

const MESSAGES = defineMessages({
  en: {
    title: 'Usage',
    description:
      'Usage and limits of this project. The operator of the service can raise the limits.',
    domains: 'Domains',
    records: 'Records in all domains',
    perDomain: (count: string) => `Limit for each domain: ${count}.`,
    of: (used: string, limit: string) => `${used} of ${limit}`,
    download: 'Download as CSV',
    downloadText: 'All domains with their numbers of records, for a spreadsheet.',
    list: 'By domain',
  },
  de: {
    title: 'Verbrauch',
    description:
      'Verbrauch und Grenzen dieses Projekts. Der Betreiber des Dienstes kann die Grenzen erhöhen.',
    domains: 'Domains',
    records: 'Einträge in allen Domains',
    perDomain: (count: string) => `Grenze je Domain: ${count}.`,
    of: (used: string, limit: string) => `${used} von ${limit}`,
    download: 'Als CSV herunterladen',
    downloadText: 'Alle Domains mit der Zahl ihrer Einträge, für eine Tabellenkalkulation.',
    list: 'Nach Domains',
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
