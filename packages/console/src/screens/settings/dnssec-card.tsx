import { useQuery } from '@tanstack/react-query';
import { ApiError, type Output } from '@zonewright/client';
import { useCallback, useState } from 'react';
import { clientOf } from '../../api/client.js';
import { doOwn } from '../../api/query-client.js';
import { keys, refreshDomain } from '../../api/queries.js';
import { useMessages } from '../../state/language.js';
import type { DomainScreenProps } from '../../shell/screen-props.js';
import { Banner, FailureBanner } from '../../ui/banner.js';
import { Button, CopyButton } from '../../ui/button.js';
import { FormDialog } from '../../ui/form-dialog.js';
import { Card, Pill } from '../../ui/page.js';
import { QueryView } from '../../ui/query-view.js';
import { curl, zonewright } from '../../ui/shell.js';
import { showUndo, showToast } from '../../ui/toasts.js';
import { useAction } from '../../ui/use-action.js';
import { DNSSEC_MESSAGES } from './dnssec-messages.js';
import styles from './settings.module.css';

type Dnssec = Output<'getDnssec'>;

/** Refresh interval while the signer is working, in milliseconds. */
const SOON_MS = 2_000;
/** Refresh interval while an external change is awaited, in milliseconds. */
const LATER_MS = 60_000;
const TONES = {
  unsigned: 'plain',
  signing: 'accent',
  signed: 'good',
  leaving: 'warn',
  unsigning: 'accent',
} as const;

export function DnssecCard({ projectId, domain }: DomainScreenProps) {
  const t = useMessages(DNSSEC_MESSAGES);
  const query = useQuery({
    queryKey: [...keys.inDomain(projectId, domain.id), 'dnssec'],
    queryFn: async ({ signal }) => {
      const path = { domainId: domain.id };
      return (await clientOf(projectId).call('getDnssec', { path }, { signal })).value;
    },
    refetchInterval: ({ state: { data } }) => {
      if (data === undefined || !data.enabled) return false;
      return data.state === 'signed' || data.state === 'leaving' ? LATER_MS : SOON_MS;
    },
  });
  return (
    <Card
      title={t.title}
      actions={
        query.data !== undefined && (
          <Pill tone={TONES[query.data.state]}>{t.states[query.data.state]}</Pill>
        )
      }
    >
      <p>{t.text}</p>
      <QueryView query={query}>
        {(dnssec) =>
          dnssec.enabled ? (
            <Signed projectId={projectId} domain={domain} dnssec={dnssec} />
          ) : (
            <Unsigned projectId={projectId} domain={domain} />
          )
        }
      </QueryView>
    </Card>
  );
}

/** Signs a domain. If it was being unsigned, it stays signed. */
async function sign(projectId: string, domainId: string): Promise<void> {
  const input = { path: { domainId }, body: { enabled: true } } as const;
  await doOwn(domainId, () => clientOf(projectId).call('enableDnssec', input));
  await refreshDomain(projectId, domainId);
}

function Unsigned({ projectId, domain }: DomainScreenProps) {
  const t = useMessages(DNSSEC_MESSAGES);
  const perform = useCallback(async () => {
    await sign(projectId, domain.id);
    showUndo(t.signing, async () => {
      const path = { domainId: domain.id };
      await doOwn(domain.id, () => clientOf(projectId).call('disableDnssec', { path }));
      await refreshDomain(projectId, domain.id);
    });
  }, [projectId, domain.id, t]);
  const { run, isBusy, error } = useAction(perform);
  // Without a signer, the operation is permanently unavailable.
  const isUnavailable = error instanceof ApiError && [404, 503].includes(error.status);
  return (
    <>
      {isUnavailable ? (
        <Banner tone="info" title={t.unavailable}>
          {error.message}
        </Banner>
      ) : (
        error !== undefined && <FailureBanner error={error} />
      )}
      <div>
        <Button kind="primary" isBusy={isBusy} onClick={() => void run()}>
          {t.sign}
        </Button>
      </div>
    </>
  );
}

function Signed({
  projectId,
  domain,
  dnssec: { state, missing, ds, dnskey, keys: signingKeys, foreign_keys: foreignKeys },
}: DomainScreenProps & { readonly dnssec: Dnssec }) {
  const t = useMessages(DNSSEC_MESSAGES);
  const [asked, setAsked] = useState<'leave' | 'roll'>();
  const close = () => {
    setAsked(undefined);
  };
  const keep = useAction(
    useCallback(async () => {
      await sign(projectId, domain.id);
      showToast({ text: t.stays });
    }, [projectId, domain.id, t]),
  );
  const isRolling = signingKeys.some((key) => key.state !== 'active');
  return (
    <>
      {missing !== null && <Banner tone="info">{missing}</Banner>}
      {ds.length > 0 && (
        <>
          <p>{t.dsText}</p>
          <ForRegistrar title={t.ds} lines={ds} label={t.copyDs} />
          <ForRegistrar title={t.dnskey} lines={dnskey} label={t.copyDnskey} />
        </>
      )}
      {foreignKeys.length > 0 && (
        <ForRegistrar
          title={t.foreignKeys}
          lines={foreignKeys.map((key) => key.dnskey)}
          label={t.copyDnskey}
        />
      )}
      {keep.error !== undefined && <FailureBanner error={keep.error} />}
      <div className={styles['row']}>
        {(state === 'leaving' || state === 'unsigning') && (
          <Button kind="primary" icon="undo" isBusy={keep.isBusy} onClick={() => void keep.run()}>
            {t.keep}
          </Button>
        )}
        {state === 'signed' && (
          <Button
            disabled={isRolling}
            onClick={() => {
              setAsked('roll');
            }}
          >
            {isRolling ? t.inProgress : t.roll}
          </Button>
        )}
        {(state === 'signing' || state === 'signed') && (
          <Button
            kind="danger"
            onClick={() => {
              setAsked('leave');
            }}
          >
            {t.leave}
          </Button>
        )}
      </div>
      {asked === 'leave' && <LeaveDialog projectId={projectId} domain={domain} onClose={close} />}
      {asked === 'roll' && <RollDialog projectId={projectId} domain={domain} onClose={close} />}
    </>
  );
}

function ForRegistrar({
  title,
  lines,
  label,
}: {
  readonly title: string;
  readonly lines: readonly string[];
  readonly label: string;
}) {
  return (
    <div className={styles['handedIn']}>
      <h3>{title}</h3>
      {lines.map((line) => (
        <code key={line}>{line}</code>
      ))}
      <CopyButton text={lines.join('\n')} label={label} />
    </div>
  );
}

function LeaveDialog({
  projectId,
  domain,
  onClose,
}: DomainScreenProps & { readonly onClose: () => void }) {
  const t = useMessages(DNSSEC_MESSAGES);
  const perform = useCallback(async () => {
    const path = { domainId: domain.id };
    await doOwn(domain.id, () => clientOf(projectId).call('disableDnssec', { path }));
    showUndo(t.left, () => sign(projectId, domain.id));
    onClose();
    await refreshDomain(projectId, domain.id);
  }, [projectId, domain.id, onClose, t]);
  return (
    <FormDialog
      title={t.leaveTitle(domain.name.replace(/\.$/, ''))}
      submit={t.leave}
      isDangerous
      action={useAction(perform)}
      commands={{
        zonewright: zonewright('dnssec', 'leave', domain.name.replace(/\.$/, ''), '--yes'),
        curl: curl({ method: 'DELETE', path: `/v1/domains/${domain.id}/dnssec` }),
      }}
      onClose={onClose}
    >
      <p>{t.leaveText}</p>
    </FormDialog>
  );
}

function RollDialog({
  projectId,
  domain,
  onClose,
}: DomainScreenProps & { readonly onClose: () => void }) {
  const t = useMessages(DNSSEC_MESSAGES);
  const perform = useCallback(async () => {
    const path = { domainId: domain.id };
    await doOwn(domain.id, () => clientOf(projectId).call('rollDnssecKey', { path }));
    showToast({ text: t.rolling });
    onClose();
    await refreshDomain(projectId, domain.id);
  }, [projectId, domain.id, onClose, t]);
  return (
    <FormDialog
      title={t.rollTitle(domain.name.replace(/\.$/, ''))}
      submit={t.roll}
      action={useAction(perform)}
      commands={{
        zonewright: zonewright('dnssec', 'rollover', domain.name.replace(/\.$/, ''), '--yes'),
        curl: curl({ method: 'POST', path: `/v1/domains/${domain.id}/dnssec/rollover` }),
      }}
      onClose={onClose}
    >
      <p>{t.rollText}</p>
    </FormDialog>
  );
}
