import { useQuery } from '@tanstack/react-query';
import type { Output } from '@zonewright/client';
import { useCallback } from 'react';
import { Link, useLocation } from 'wouter';
import { clientOf } from '../../api/client.js';
import { keys } from '../../api/queries.js';
import { useMessages } from '../../state/language.js';
import { paths } from '../../state/paths.js';
import type { DomainScreenProps } from '../../shell/screen-props.js';
import { Banner, FailureBanner } from '../../ui/banner.js';
import { Button, CopyButton } from '../../ui/button.js';
import { Card, Page, Pill } from '../../ui/page.js';
import { QueryView } from '../../ui/query-view.js';
import { RelativeTime } from '../../ui/relative-time.js';
import { Table } from '../../ui/table.js';
import { showToast } from '../../ui/toasts.js';
import { useAction } from '../../ui/use-action.js';
import styles from './health.module.css';
import { MESSAGES } from './health-messages.js';
import { type Finding, prepareFix } from './prepare-fix.js';

type Examination = Output<'checkDomain'>;

const SEVERITIES = ['error', 'warning', 'info'] as const;
const TONES = { error: 'bad', warning: 'warn', info: 'plain' } as const;
/** Findings that only the registrant can fix, by entering these nameservers at the registrar. */
const OF_REGISTRARS = /^(delegat|not-delegated)/;
/** Findings that only the registrant can fix, with the DS record shown in the settings. */
const OF_DS = /^ds-(?!at-parent)/;

/** Findings that the banner of the domain's primaries shows. */
const OF_PRIMARIES = /^primary-/;

export function HealthScreen({ projectId, domain }: DomainScreenProps) {
  const t = useMessages(MESSAGES);
  const query = useQuery({
    queryKey: [...keys.inDomain(projectId, domain.id), 'check'],
    queryFn: ({ signal }) => clientOf(projectId).domains.check(domain.id, { signal }),
  });
  return (
    <Page
      title={t.title}
      tabTitle={`${t.title}: ${domain.name.replace(/\.$/, '')}`}
      description={t.description}
      level={2}
      actions={
        <Button isBusy={query.isFetching} onClick={() => void query.refetch()}>
          {t.again}
        </Button>
      }
    >
      <QueryView query={query}>
        {(examination) => (
          <>
            <State examination={examination} />
            {SEVERITIES.map((severity) => (
              <Findings
                key={severity}
                severity={severity}
                all={examination}
                projectId={projectId}
                domain={domain}
              />
            ))}
            <Nameservers examination={examination} />
            <Coverage examination={examination} />
          </>
        )}
      </QueryView>
    </Page>
  );
}

function State({ examination: { state, checked_at: at } }: { readonly examination: Examination }) {
  const t = useMessages(MESSAGES);
  const tone = { ok: 'good', unknown: 'info', warning: 'warn', error: 'bad' } as const;
  return (
    <Banner tone={tone[state]} title={t.states[state]}>
      <RelativeTime at={at} />
    </Banner>
  );
}

function Findings({
  severity,
  all,
  ...place
}: DomainScreenProps & {
  readonly severity: Finding['severity'];
  readonly all: Examination;
}) {
  const t = useMessages(MESSAGES);
  const findings = all.findings.filter(
    (each) => each.severity === severity && !OF_PRIMARIES.test(each.code),
  );
  if (findings.length === 0) return null;
  const names = all.nameservers.map(({ name }) => name.replace(/\.$/, '')).join('\n');
  return (
    <Card title={t.severities[severity]}>
      <ul className={styles['findings']}>
        {findings.map((finding) => (
          <li key={`${finding.code} ${finding.message}`}>
            <Pill tone={TONES[severity]}>{finding.code}</Pill>
            <p>{finding.message}</p>
            {finding.action !== '' && <p className={styles['action']}>{finding.action}</p>}
            {finding.about !== undefined && (
              <Fix {...place} finding={{ ...finding, about: finding.about }} />
            )}
            {OF_REGISTRARS.test(finding.code) && <CopyButton text={names} label={t.copyServers} />}
            {OF_DS.test(finding.code) && (
              <Link href={paths.settings(place.projectId, place.domain.name)}>{t.toDs}</Link>
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}

interface FixProps extends DomainScreenProps {
  readonly finding: Parameters<typeof prepareFix>[2];
}

function Fix({ projectId, domain, finding }: FixProps) {
  const t = useMessages(MESSAGES);
  const [, navigate] = useLocation();
  const { run, isBusy, error } = useAction(
    useCallback(async () => {
      const path = await prepareFix(projectId, domain, finding);
      if (path === undefined) showToast({ text: t.isTyping, tone: 'bad' });
      navigate(path ?? paths.records(projectId, domain.name));
    }, [projectId, domain, finding, navigate, t]),
  );
  return (
    <>
      {error !== undefined && <FailureBanner error={error} />}
      <Button icon="edit" isBusy={isBusy} onClick={() => void run()}>
        {t.fix}
      </Button>
    </>
  );
}

function Nameservers({ examination: { nameservers } }: { readonly examination: Examination }) {
  const t = useMessages(MESSAGES);
  const names = nameservers.map(({ name }) => name.replace(/\.$/, '')).join('\n');
  return (
    <Card title={t.nameservers} actions={<CopyButton text={names} label={t.copyServers} />}>
      <Table
        caption={t.nameservers}
        rows={nameservers}
        keyOf={({ name }) => name}
        columns={[
          { title: t.name, cell: ({ name }) => <code>{name}</code> },
          { title: t.address, cell: ({ address }) => <code>{address ?? '–'}</code> },
          {
            title: t.status,
            cell: ({ status }) => (
              <Pill tone={status === 'NOERROR' ? 'good' : 'bad'}>{status}</Pill>
            ),
          },
          { title: t.serial, isNumber: true, cell: ({ serial }) => serial ?? '–' },
        ]}
      />
    </Card>
  );
}

function Coverage({
  examination: { checked, not_checked: notChecked },
}: {
  readonly examination: Examination;
}) {
  const t = useMessages(MESSAGES);
  return (
    <Card title={t.coverage}>
      <ul className={styles['parts']}>
        {checked.map((part) => (
          <li key={part}>
            <Pill tone="good">{t.parts[part]}</Pill>
          </li>
        ))}
        {notChecked.map((part) => (
          <li key={part}>
            <Pill>{`${t.parts[part]}: ${t.notChecked}`}</Pill>
          </li>
        ))}
      </ul>
    </Card>
  );
}
