import { useQuery } from '@tanstack/react-query';
import type { AccessKey } from '@zonewright/client';
import { useCallback, useState } from 'react';
import { clientOf } from '../../api/client.js';
import { keys } from '../../api/queries.js';
import { refetch } from '../../api/query-client.js';
import { formatTime, useMessages } from '../../state/language.js';
import { SHARED } from '../../state/shared-messages.js';
import type { ProjectScreenProps } from '../../shell/screen-props.js';
import { useOpenParameter } from '../../state/hooks.js';
import { Button } from '../../ui/button.js';
import { FailureBanner } from '../../ui/banner.js';
import { FormDialog } from '../../ui/form-dialog.js';
import { EmptyState, Page, Pill } from '../../ui/page.js';
import { QueryView } from '../../ui/query-view.js';
import { RelativeTime } from '../../ui/relative-time.js';
import { Table } from '../../ui/table.js';
import { showUndo, showToast } from '../../ui/toasts.js';
import { useAction } from '../../ui/use-action.js';
import { deleteCommands } from './key-commands.js';
import styles from './keys.module.css';
import { MESSAGES } from './messages.js';
import { NewKeyDialog } from './new-key-dialog.js';
import { SecretDialog } from './secret-dialog.js';
import { toRenewed } from './presets.js';

const nameOf = ({ otherAttributes, accessKeyId }: AccessKey) => otherAttributes.name ?? accessKeyId;
const keysOf = (projectId: string) => [...keys.project(projectId), 'keys'];
const refresh = (projectId: string) => refetch(keysOf(projectId));

/** Switches a key off, so that it is rejected, or on, with all of its rights. */
async function setStatus(
  projectId: string,
  { accessKeyId: accesskeyId }: AccessKey,
  status: 'active' | 'inactive',
): Promise<void> {
  const body = { accessKey: { status } };
  await clientOf(projectId).call('updateAccessKey', { path: { accesskeyId }, body });
  await refresh(projectId);
}

export function KeysScreen({ projectId }: ProjectScreenProps) {
  const t = useMessages(MESSAGES);
  const [isAdding, setIsAdding] = useState(false);
  const startNew = useCallback(() => {
    setIsAdding(true);
  }, []);
  useOpenParameter(startNew);
  const [made, setMade] = useState<AccessKey>();
  const [deleting, setDeleting] = useState<AccessKey>();
  const query = useQuery({
    queryKey: keysOf(projectId),
    queryFn: async ({ signal }) => {
      const input = { query: { extended: true } };
      return (await clientOf(projectId).call('listAccessKeys', input, { signal })).value.accessKeys
        .accessKey;
    },
  });
  const show = useCallback(
    async (key: AccessKey) => {
      setIsAdding(false);
      setMade(key);
      await refresh(projectId);
    },
    [projectId],
  );
  const renew = useAction(
    useCallback(
      async (key: AccessKey) => {
        await show(await clientOf(projectId).keys.create(toRenewed(key)));
      },
      [projectId, show],
    ),
  );
  const switching = useAction(
    useCallback(
      async (key: AccessKey) => {
        const isOn = key.status === 'active';
        await setStatus(projectId, key, isOn ? 'inactive' : 'active');
        const text = isOn ? t.switchedOff(nameOf(key)) : t.switchedOn(nameOf(key));
        showUndo(text, () => setStatus(projectId, key, isOn ? 'active' : 'inactive'));
      },
      [projectId, t],
    ),
  );
  const add = (
    <Button kind="primary" icon="plus" onClick={startNew}>
      {t.add}
    </Button>
  );
  return (
    <Page title={t.title} description={t.description} actions={add}>
      {renew.error !== undefined && <FailureBanner error={renew.error} />}
      {switching.error !== undefined && <FailureBanner error={switching.error} />}
      <QueryView query={query}>
        {(all) =>
          all.length === 0 ? (
            <EmptyState title={t.none}>{t.noneText}</EmptyState>
          ) : (
            <KeyTable
              all={all}
              onRenew={(key) => void renew.run(key)}
              onSwitch={(key) => void switching.run(key)}
              onDelete={setDeleting}
            />
          )
        }
      </QueryView>
      {isAdding && (
        <NewKeyDialog
          projectId={projectId}
          onMade={show}
          onClose={() => {
            setIsAdding(false);
          }}
        />
      )}
      {made !== undefined && (
        <SecretDialog
          accessKey={made}
          projectId={projectId}
          onClose={() => {
            setMade(undefined);
          }}
        />
      )}
      {deleting !== undefined && (
        <DeleteDialog
          projectId={projectId}
          accessKey={deleting}
          onClose={() => {
            setDeleting(undefined);
          }}
        />
      )}
    </Page>
  );
}

interface KeyTableProps {
  readonly all: readonly AccessKey[];
  readonly onRenew: (key: AccessKey) => void;
  readonly onSwitch: (key: AccessKey) => void;
  readonly onDelete: (key: AccessKey) => void;
}

function KeyTable({ all, onRenew, onSwitch, onDelete }: KeyTableProps) {
  const t = useMessages(MESSAGES);
  return (
    <Table
      caption={t.title}
      rows={all}
      keyOf={({ accessKeyId }) => accessKeyId}
      columns={[
        {
          title: t.name,
          cell: (key) => (
            <span className={styles['name']}>
              <strong>{key.otherAttributes.name ?? t.unnamed}</strong>
              <code>{key.accessKeyId}</code>
            </span>
          ),
        },
        { title: t.may, cell: (key) => <Rights accessKey={key} /> },
        {
          title: t.status,
          cell: ({ status }) => (
            <Pill tone={status === 'active' ? 'good' : 'plain'}>{t.statuses(status)}</Pill>
          ),
        },
        {
          title: t.lastUsed,
          cell: ({ lastUsedOn: at }) =>
            at == null ? t.neverUsed : <RelativeTime at={new Date(at).toISOString()} />,
        },
        { title: t.ends, cell: ({ validTo }) => formatTime(new Date(validTo)) },
        {
          title: t.actionsTitle,
          cell: (key) => (
            <span className={styles['actions']}>
              <Button
                kind="quiet"
                icon="history"
                aria-label={t.renew(nameOf(key))}
                title={t.renewText}
                onClick={() => {
                  onRenew(key);
                }}
              />
              <Button
                kind="quiet"
                onClick={() => {
                  onSwitch(key);
                }}
                aria-label={
                  key.status === 'active' ? t.switchOff(nameOf(key)) : t.switchOn(nameOf(key))
                }
              >
                {key.status === 'active' ? t.off : t.on}
              </Button>
              <Button
                kind="quiet"
                icon="trash"
                aria-label={t.delete(nameOf(key))}
                onClick={() => {
                  onDelete(key);
                }}
              />
            </span>
          ),
        },
      ]}
    />
  );
}

function Rights({ accessKey: { otherAttributes } }: { readonly accessKey: AccessKey }) {
  const t = useMessages(MESSAGES);
  const { rules = [], networks = [] } = otherAttributes.restrictions ?? {};
  return (
    <ul className={styles['rights']}>
      {rules.length === 0 && <li>{t.everything}</li>}
      {rules.map(({ zone, name, types, actions }) => (
        <li key={`${zone} ${name} ${types.join(' ')}`}>
          {t.actions(actions.join(' '))} {name !== '**' && <code>{name}</code>}{' '}
          {zone === '*' ? t.inEvery : t.inOne(zone.replace(/\.$/, ''))}:{' '}
          {t.types(types.filter((type) => type !== '*').join(' '))}
        </li>
      ))}
      {networks.length > 0 && <li>{t.networks(networks.join(' '))}</li>}
    </ul>
  );
}

function DeleteDialog({
  projectId,
  accessKey,
  onClose,
}: {
  readonly projectId: string;
  readonly accessKey: AccessKey;
  readonly onClose: () => void;
}) {
  const t = useMessages(MESSAGES);
  const shared = useMessages(SHARED);
  const name = nameOf(accessKey);
  const perform = useCallback(async () => {
    await clientOf(projectId).keys.delete(accessKey.accessKeyId);
    showToast({ text: t.deleted(name) });
    onClose();
    await refresh(projectId);
  }, [projectId, accessKey, name, onClose, t]);
  return (
    <FormDialog
      title={t.deleteTitle(name)}
      submit={shared.delete}
      isDangerous
      action={useAction(perform)}
      commands={deleteCommands(accessKey.accessKeyId)}
      onClose={onClose}
    >
      <p>{t.deleteText}</p>
    </FormDialog>
  );
}
