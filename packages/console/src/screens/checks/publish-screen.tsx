import { useQueries, useQuery } from '@tanstack/react-query';
import { clientOf } from '../../api/client.js';
import { keys } from '../../api/queries.js';
import { defineMessages, useMessages } from '../../state/language.js';
import { PublishMeter } from '../../shell/publish-meter.js';
import {
  type Publication,
  publicationQuery,
  type ServerState,
  stateOf,
  usePublication,
} from '../../api/publication.js';
import type { DomainScreenProps } from '../../shell/screen-props.js';
import { Card, Page, Pill } from '../../ui/page.js';
import { QueryView } from '../../ui/query-view.js';
import { RelativeTime } from '../../ui/relative-time.js';
import { Table } from '../../ui/table.js';
import { type Delays, sumUpDelays } from './delays.js';
import styles from './publish.module.css';

const MESSAGES = defineMessages({
  en: {
    title: 'Publication',
    description:
      'The changes that each nameserver has published, and the time from saving to publication.',
    now: (serial: number) => `Serial ${serial} (latest)`,
    server: 'Nameserver',
    state: 'Status',
    delay: 'Delay',
    states: {
      applied: 'published',
      waiting: 'waiting',
      late: 'late',
      silent: 'no response',
    },
    delays: 'Publication delay',
    changes: 'Changes',
    p50: 'Median (p50)',
    p99: '99% within (p99)',
    recent: 'Earlier changes',
    step: (serial: number) => `Serial ${serial}`,
  },
  de: {
    title: 'Veröffentlichung',
    description:
      'Die Änderungen, die jeder Nameserver veröffentlicht hat, und die Zeit vom Speichern bis zur Veröffentlichung.',
    now: (serial: number) => `Seriennummer ${serial} (neueste)`,
    server: 'Nameserver',
    state: 'Status',
    delay: 'Verzögerung',
    states: {
      applied: 'veröffentlicht',
      waiting: 'wartet',
      late: 'verspätet',
      silent: 'keine Rückmeldung',
    },
    delays: 'Verzögerung der Veröffentlichung',
    changes: 'Änderungen',
    p50: 'Median (p50)',
    p99: '99 % innerhalb von (p99)',
    recent: 'Frühere Änderungen',
    step: (serial: number) => `Seriennummer ${serial}`,
  },
});

const TONES: Readonly<Record<ServerState, 'good' | 'warn' | 'plain'>> = {
  applied: 'good',
  waiting: 'plain',
  late: 'warn',
  silent: 'plain',
};
const SHOWN_STEPS = 10;

function toDelays(queries: readonly { readonly data: Publication | undefined }[]): Delays[] {
  return sumUpDelays(queries.flatMap(({ data }) => (data === undefined ? [] : [data])));
}

export function PublishScreen({ projectId, domain }: DomainScreenProps) {
  const t = useMessages(MESSAGES);
  const latest = usePublication(projectId, domain.id, domain.serial);
  const steps = useQuery({
    queryKey: [...keys.inDomain(projectId, domain.id), 'steps'],
    queryFn: async ({ signal }) => {
      const query = { group: 'serial' as const, limit: SHOWN_STEPS + 1 };
      const { value } = await clientOf(projectId).call(
        'listChanges',
        { path: { domainId: domain.id }, query },
        { signal },
      );
      return (value.steps ?? [])
        .filter(({ serial_after: serial }) => serial !== domain.serial)
        .slice(0, SHOWN_STEPS);
    },
  });
  const delays = useQueries({
    queries: [domain.serial, ...(steps.data ?? []).map((step) => step.serial_after)].map((serial) =>
      publicationQuery(projectId, domain.id, serial),
    ),
    combine: toDelays,
  });
  return (
    <Page
      title={t.title}
      tabTitle={`${t.title}: ${domain.name.replace(/\.$/, '')}`}
      description={t.description}
      level={2}
    >
      <Card title={t.now(domain.serial)}>
        <PublishMeter projectId={projectId} domainId={domain.id} serial={domain.serial} />
        <QueryView query={latest}>
          {(publication) => (
            <Table
              caption={t.now(domain.serial)}
              rows={publication.nameservers}
              keyOf={({ name }) => name}
              columns={[
                { title: t.server, cell: ({ name }) => <code>{name}</code> },
                {
                  title: t.state,
                  cell: (server) => {
                    const state = stateOf(server, publication);
                    return <Pill tone={TONES[state]}>{t.states[state]}</Pill>;
                  },
                },
                {
                  title: t.delay,
                  isNumber: true,
                  cell: ({ delay_ms: ms }) => (ms === null ? '–' : `${Math.round(ms)} ms`),
                },
              ]}
            />
          )}
        </QueryView>
      </Card>
      {delays.length > 0 && (
        <Card title={t.delays}>
          <Table
            caption={t.delays}
            rows={delays}
            keyOf={({ name }) => name}
            columns={[
              { title: t.server, cell: ({ name }) => <code>{name}</code> },
              { title: t.changes, isNumber: true, cell: ({ changes }) => changes },
              { title: t.p50, isNumber: true, cell: ({ p50 }) => `${Math.round(p50)} ms` },
              { title: t.p99, isNumber: true, cell: ({ p99 }) => `${Math.round(p99)} ms` },
            ]}
          />
        </Card>
      )}
      <Card title={t.recent}>
        <QueryView query={steps}>
          {(rows) => (
            <ul className={styles['steps']}>
              {rows.map((step) => (
                <li key={step.id}>
                  <span>
                    {t.step(step.serial_after)}{' '}
                    <small>{<RelativeTime at={step.changed_at} />}</small>
                  </span>
                  <PublishMeter
                    projectId={projectId}
                    domainId={domain.id}
                    serial={step.serial_after}
                  />
                </li>
              ))}
            </ul>
          )}
        </QueryView>
      </Card>
    </Page>
  );
}
