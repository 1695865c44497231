import { useQuery } from '@tanstack/react-query';
import { ApiError } from '@zonewright/client';
import { useCallback, useState } from 'react';
import { clientOf } from '../../api/client.js';
import { projectQuery, sessionQuery } from '../../api/queries.js';
import type { ProjectScreenProps } from '../../shell/screen-props.js';
import { useMessages } from '../../state/language.js';
import { Button } from '../../ui/button.js';
import { FormDialog } from '../../ui/form-dialog.js';
import { EmptyState, Page, Pill } from '../../ui/page.js';
import { QueryView } from '../../ui/query-view.js';
import { Table } from '../../ui/table.js';
import { showUndo } from '../../ui/toasts.js';
import { useAction } from '../../ui/use-action.js';
import { InviteDialog } from './invite-dialog.js';
import { MESSAGES } from './members-messages.js';
import {
  ADMINISTRATORS,
  grantRole,
  groupByUser,
  type Member,
  membersOf,
  revokeRole,
  roleCommands,
} from './members.js';
import styles from './members.module.css';

export function MembersScreen({ projectId }: ProjectScreenProps) {
  const t = useMessages(MESSAGES);
  const query = useQuery(projectQuery(projectId));
  return (
    <QueryView query={query}>
      {({ roles }) =>
        roles.some((role) => ADMINISTRATORS.includes(role)) ? (
          <Members projectId={projectId} />
        ) : (
          <Page title={t.title}>
            <EmptyState title={t.whoCan} />
          </Page>
        )
      }
    </QueryView>
  );
}

function Members({ projectId }: ProjectScreenProps) {
  const t = useMessages(MESSAGES);
  const [isInviting, setIsInviting] = useState(false);
  const [removal, setRemoval] = useState<Removal>();
  const query = useQuery({
    queryKey: membersOf(projectId),
    queryFn: async ({ signal }) => {
      const asked = { 'scope.project.id': projectId, include_names: true };
      const { value } = await clientOf(projectId).call(
        'listRoleAssignmentsV3',
        { query: asked },
        { signal },
      );
      return groupByUser(value.role_assignments);
    },
  });
  if (query.error instanceof ApiError && query.error.status === 403)
    return (
      <Page title={t.title}>
        <EmptyState title={t.whoCan} />
      </Page>
    );
  return (
    <Page
      title={t.title}
      description={t.description}
      actions={
        <Button
          kind="primary"
          icon="plus"
          onClick={() => {
            setIsInviting(true);
          }}
        >
          {t.invite}
        </Button>
      }
    >
      <QueryView query={query}>
        {(all) => <MemberTable all={all} onRemove={setRemoval} />}
      </QueryView>
      {isInviting && (
        <InviteDialog
          projectId={projectId}
          onClose={() => {
            setIsInviting(false);
          }}
        />
      )}
      {removal !== undefined && (
        <RemoveDialog
          projectId={projectId}
          removal={removal}
          onClose={() => {
            setRemoval(undefined);
          }}
        />
      )}
    </Page>
  );
}

interface MemberTableProps {
  readonly all: readonly Member[];
  readonly onRemove: (removal: Removal) => void;
}

function MemberTable({ all, onRemove }: MemberTableProps) {
  const t = useMessages(MESSAGES);
  const { data: session } = useQuery(sessionQuery);
  return (
    <Table
      caption={t.title}
      rows={all}
      keyOf={({ user }) => user.id}
      columns={[
        {
          title: t.name,
          cell: ({ user }) => (
            <span>
              <strong>{user.name}</strong> {user.id === session?.user.id && <Pill>{t.you}</Pill>}
            </span>
          ),
        },
        {
          title: t.roles,
          cell: ({ user, roles }) => (
            <span className={styles['roles']}>
              {roles.map((role) => (
                <span key={role.id} className={styles['role']}>
                  <Pill tone="accent">{role.name}</Pill>
                  <Button
                    kind="quiet"
                    icon="close"
                    aria-label={t.remove(role.name, user.name)}
                    title={t.remove(role.name, user.name)}
                    onClick={() => {
                      onRemove({ user, role });
                    }}
                  />
                </span>
              ))}
            </span>
          ),
        },
      ]}
    />
  );
}

interface Removal {
  readonly user: Member['user'];
  readonly role: Member['roles'][number];
}

interface RemoveDialogProps {
  readonly projectId: string;
  readonly removal: Removal;
  readonly onClose: () => void;
}

function RemoveDialog({ projectId, removal: { user, role }, onClose }: RemoveDialogProps) {
  const t = useMessages(MESSAGES);
  const perform = useCallback(async () => {
    await revokeRole(projectId, user.id, role.id);
    showUndo(t.removed(role.name, user.name), () => grantRole(projectId, user.id, role.id));
    onClose();
  }, [projectId, user, role, onClose, t]);
  return (
    <FormDialog
      title={t.removeTitle(role.name, user.name)}
      submit={t.removeRole}
      isDangerous
      action={useAction(perform)}
      commands={roleCommands('DELETE', projectId, user.id, role.id)}
      onClose={onClose}
    >
      <p>{t.removeText}</p>
    </FormDialog>
  );
}
