import { useQuery } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import { useLocation } from 'wouter';
import { clientOf } from '../../api/client.js';
import { keys, type ListedDomain, refreshDomain } from '../../api/queries.js';
import { doOwn } from '../../api/query-client.js';
import type { DomainScreenProps } from '../../shell/screen-props.js';
import { useMessages } from '../../state/language.js';
import { paths } from '../../state/paths.js';
import { SHARED } from '../../state/shared-messages.js';
import { Banner, FailureBanner, problemsByField } from '../../ui/banner.js';
import { Button } from '../../ui/button.js';
import { Commands } from '../../ui/commands.js';
import { TextField } from '../../ui/field.js';
import { FormDialog } from '../../ui/form-dialog.js';
import { Icon } from '../../ui/icon.js';
import { Card, Facts, Page } from '../../ui/page.js';
import { QueryView } from '../../ui/query-view.js';
import { RelativeTime } from '../../ui/relative-time.js';
import { showUndo } from '../../ui/toasts.js';
import { useAction } from '../../ui/use-action.js';
import { changeCommands, deleteCommands, zoneResource } from '../domains/domain-commands.js';
import { DnssecCard } from './dnssec-card.js';
import { MESSAGES } from './messages.js';
import styles from './settings.module.css';

export function SettingsScreen({ projectId, domain }: DomainScreenProps) {
  const t = useMessages(MESSAGES);
  const [isDeleting, setIsDeleting] = useState(false);
  const name = domain.name.replace(/\.$/, '');
  const [zoneFile, fileName] = paths.zoneFile(projectId, domain);
  return (
    <Page title={t.title} tabTitle={`${t.title}: ${name}`} level={2}>
      {/* The key resets the form when another user has changed the domain. */}
      <SettingsForm key={domain.updated_at} projectId={projectId} domain={domain} />
      <Nameservers projectId={projectId} domain={domain} />
      <DnssecCard projectId={projectId} domain={domain} />
      <Card title={t.export}>
        <p>{t.exportText}</p>
        <a className={styles['download']} href={zoneFile} download={fileName}>
          <Icon name="download" /> {t.download}
        </a>
      </Card>
      <Card title={t.facts}>
        <Facts
          rows={[
            [t.id, <code key="id">{domain.id}</code>],
            [t.serial, domain.serial],
            [t.created, <RelativeTime key="at" at={domain.created_at} />],
          ]}
        />
      </Card>
      <Card title={t.delete}>
        <p>{t.deleteText}</p>
        <div>
          <Button
            kind="danger"
            icon="trash"
            onClick={() => {
              setIsDeleting(true);
            }}
          >
            {t.delete}
          </Button>
        </div>
      </Card>
      {isDeleting && (
        <DeleteDialog
          projectId={projectId}
          domain={domain}
          onClose={() => {
            setIsDeleting(false);
          }}
        />
      )}
    </Page>
  );
}

function SettingsForm({ projectId, domain }: DomainScreenProps) {
  const t = useMessages(MESSAGES);
  const shared = useMessages(SHARED);
  const [email, setEmail] = useState(domain.email);
  const [ttl, setTtl] = useState(String(domain.ttl));
  const [description, setDescription] = useState(domain.description ?? '');
  const changed = useMemo(
    () => ({
      ...(email === domain.email ? {} : { email }),
      ...(ttl === String(domain.ttl) ? {} : { ttl: Number(ttl) }),
      ...(description === (domain.description ?? '')
        ? {}
        : { description: description === '' ? null : description }),
    }),
    [domain, email, ttl, description],
  );
  const perform = useCallback(async () => {
    const client = clientOf(projectId);
    const before = { email: domain.email, ttl: domain.ttl, description: domain.description };
    await doOwn(domain.id, () => client.domains.update(domain.id, changed));
    const undo = async () => {
      await doOwn(domain.id, () => client.domains.update(domain.id, before));
      await refreshDomain(projectId, domain.id);
    };
    showUndo(t.saved, undo);
    await refreshDomain(projectId, domain.id);
  }, [projectId, domain, changed, t]);
  const { run, isBusy, error } = useAction(perform);
  const problems = problemsByField(error);
  const texts = changeCommands([domain], changed);
  const isSame = Object.keys(changed).length === 0;
  return (
    <Card title={t.general}>
      <form
        className={styles['form']}
        onSubmit={(event) => {
          event.preventDefault();
          void run();
        }}
      >
        {error !== undefined && <FailureBanner error={error} />}
        <TextField
          label={t.email}
          hint={t.emailHint}
          type="email"
          required
          error={problems['email']}
          value={email}
          onChange={(event) => {
            setEmail(event.target.value);
          }}
        />
        <TextField
          label={t.ttl}
          hint={t.ttlHint}
          inputMode="numeric"
          required
          error={problems['ttl']}
          value={ttl}
          onChange={(event) => {
            setTtl(event.target.value);
          }}
        />
        <TextField
          label={t.description}
          isOptional
          error={problems['description']}
          value={description}
          onChange={(event) => {
            setDescription(event.target.value);
          }}
        />
        <Commands
          texts={texts && { ...texts, terraform: zoneResource(domain, { ...domain, ...changed }) }}
        />
        <div>
          <Button type="submit" kind="primary" isBusy={isBusy} disabled={isSame}>
            {shared.save}
          </Button>
        </div>
      </form>
    </Card>
  );
}

function Nameservers({
  projectId,
  domain,
}: {
  readonly projectId: string;
  readonly domain: ListedDomain;
}) {
  const t = useMessages(MESSAGES);
  const query = useQuery({
    queryKey: [...keys.inDomain(projectId, domain.id), 'servers'],
    queryFn: ({ signal }) => clientOf(projectId).domains.servers(domain.id, { signal }),
  });
  return (
    <Card title={t.nameservers}>
      <p>{t.nameserversText}</p>
      <QueryView query={query}>
        {(servers) => (
          <ul className={styles['servers']}>
            {servers.map(({ name }) => (
              <li key={name}>
                <code>{name}</code>
              </li>
            ))}
          </ul>
        )}
      </QueryView>
    </Card>
  );
}

function DeleteDialog({
  projectId,
  domain,
  onClose,
}: {
  readonly projectId: string;
  readonly domain: ListedDomain;
  readonly onClose: () => void;
}) {
  const t = useMessages(MESSAGES);
  const shared = useMessages(SHARED);
  const [, navigate] = useLocation();
  const [typed, setTyped] = useState('');
  const name = domain.name.replace(/\.$/, '');
  const perform = useCallback(async () => {
    const { domains } = clientOf(projectId);
    await doOwn(domain.id, () => domains.delete(domain.id));
    const undo = async () => {
      await doOwn(domain.id, () => domains.undelete(domain.id));
      await refreshDomain(projectId, domain.id);
    };
    showUndo(t.deleted(name), undo);
    navigate(paths.domains(projectId));
    // Refetch only the lists: this screen may still be visible for a moment, and would query the deleted domain.
    await refreshDomain(projectId);
  }, [projectId, domain.id, name, navigate, t]);
  return (
    <FormDialog
      title={t.deleteTitle(name)}
      submit={shared.delete}
      isDangerous
      isReady={typed.trim() === name}
      action={useAction(perform)}
      commands={deleteCommands([domain])}
      onClose={onClose}
    >
      <p>{t.deleteText}</p>
      <DelegationNotice projectId={projectId} domain={domain} />
      <TextField
        label={shared.confirmName(name)}
        isMono
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value);
        }}
      />
    </FormDialog>
  );
}

/** Findings that show that the domain is not delegated to these nameservers. */
const ELSEWHERE = new Set(['not-delegated', 'delegated-elsewhere', 'delegation-broken']);

/**
 * Warns if resolvers still use these nameservers for a domain that is about to be deleted, according to the check of
 * its delegation.
 */
function DelegationNotice({ projectId, domain }: DomainScreenProps) {
  const t = useMessages(MESSAGES);
  const { data } = useQuery({
    queryKey: [...keys.inDomain(projectId, domain.id), 'check'],
    queryFn: ({ signal }) => clientOf(projectId).domains.check(domain.id, { signal }),
  });
  if (data?.checked.includes('delegation') !== true) return null;
  return data.findings.some(({ code }) => ELSEWHERE.has(code)) ? (
    <Banner tone="info">{t.notAsked}</Banner>
  ) : (
    <Banner tone="warn">{t.stillAsked}</Banner>
  );
}
