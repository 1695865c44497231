import { useQuery } from '@tanstack/react-query';
import type { Output } from '@zonewright/client';
import { clientOf } from '../../api/client.js';
import { keys } from '../../api/queries.js';
import { formatNumber, languageStore, useMessages } from '../../state/language.js';
import type { ProjectScreenProps } from '../../shell/screen-props.js';
import { Banner } from '../../ui/banner.js';
import { Card, Page, Pill } from '../../ui/page.js';
import { QueryView } from '../../ui/query-view.js';
import { RelativeTime } from '../../ui/relative-time.js';
import { Table } from '../../ui/table.js';
import { DnsOfProjects } from './dns-of-projects.js';
import { MESSAGES } from './operator-messages.js';
import styles from './operator.module.css';

type Nameserver = Output<'listNameservers'>['nameservers'][number];

/** Refresh interval, a little longer than the interval at which nameservers report their status. */
const REFRESH_MS = 5_000;
const KIBIBYTE = 1_024;
const COMMANDS = [
  'zonewright-admin doctor',
  'zonewright-admin nameserver list',
  'zonewright-admin user list',
  'zonewright-admin tenant list',
  'zonewright-admin role assignments',
  'zonewright-admin quota list',
].join('\n');

export function OperatorScreen({ projectId }: ProjectScreenProps) {
  const t = useMessages(MESSAGES);
  const query = useQuery({
    queryKey: [...keys.project(projectId), 'nameservers'],
    queryFn: async ({ signal }) =>
      (await clientOf(projectId).call('listNameservers', {}, { signal })).value.nameservers,
    refetchInterval: REFRESH_MS,
  });
  return (
    <Page title={t.title} description={t.description}>
      <QueryView query={query}>{(all) => <Nameservers all={all} />}</QueryView>
      <DnsOfProjects projectId={projectId} />
      <Card title={t.commands}>
        <p>{t.commandsText}</p>
        <pre className={styles['commands']} tabIndex={0} aria-label={t.commands}>
          {COMMANDS}
        </pre>
      </Card>
    </Page>
  );
}

function Nameservers({ all }: { readonly all: readonly Nameserver[] }) {
  const t = useMessages(MESSAGES);
  const live = all.filter((each) => each.live).length;
  const hasFailed = all.some(({ failed_zones: failed }) => (failed ?? 0) > 0);
  return (
    <>
      <Banner
        tone={live === all.length && !hasFailed ? 'good' : 'warn'}
        title={t.summary(formatNumber(live), formatNumber(all.length))}
      >
        {live < all.length && t.behind}
      </Banner>
      <Table
        caption={t.nameservers}
        rows={all}
        keyOf={({ name }) => name}
        columns={[
          {
            title: t.name,
            cell: ({ name }) => <code className={styles['name']}>{name.replace(/\.$/, '')}</code>,
          },
          { title: t.status, cell: (each) => <Status nameserver={each} /> },
          { title: t.position, isNumber: true, cell: ({ position }) => position ?? '–' },
          {
            title: t.lag,
            isNumber: true,
            cell: ({ lag_ms: lag }) => (lag === null ? '–' : `${formatNumber(lag)} ms`),
          },
          { title: t.zones, isNumber: true, cell: ({ zones }) => orDash(zones) },
          { title: t.failed, isNumber: true, cell: ({ failed_zones: n }) => <Failed count={n} /> },
          {
            title: t.image,
            isNumber: true,
            cell: ({ image_bytes: octets }) => (octets === null ? '–' : formatOctets(octets)),
          },
          { title: t.version, cell: ({ version }) => version ?? '–' },
          {
            title: t.heard,
            cell: ({ heartbeat_at: at }) => (at === null ? '–' : <RelativeTime at={at} />),
          },
        ]}
      />
    </>
  );
}

function Status({ nameserver }: { readonly nameserver: Nameserver }) {
  const t = useMessages(MESSAGES);
  if (nameserver.live) return <Pill tone="good">{t.live}</Pill>;
  return nameserver.heartbeat_at === null ? (
    <Pill>{t.never}</Pill>
  ) : (
    <Pill tone="warn">{t.silent}</Pill>
  );
}

function Failed({ count }: { readonly count: number | null }) {
  if (count === null || count === 0) return orDash(count);
  return <Pill tone="bad">{formatNumber(count)}</Pill>;
}

const orDash = (number: number | null) => (number === null ? '–' : formatNumber(number));

function formatOctets(octets: number): string {
  const format = new Intl.NumberFormat(languageStore.get(), { maximumFractionDigits: 1 });
  const kibibytes = octets / KIBIBYTE;
  return kibibytes < KIBIBYTE
    ? `${format.format(kibibytes)} KiB`
    : `${format.format(kibibytes / KIBIBYTE)} MiB`;
}
