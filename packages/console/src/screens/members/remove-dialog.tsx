import { useCallback } from 'react';
import { clientOf } from '../../api/client.js';
import { queryClient } from '../../api/queries.js';
import { useMessages } from '../../messages/language.js';
import { FormDialog } from '../../ui/form-dialog.js';
import { showToast } from '../../ui/toasts.js';
import { useAction } from '../../ui/use-action.js';
import { type Member, membersOf } from './members.js';
import { MESSAGES } from './messages.js';

/** Whom to take which role. */
export interface Removal {
  readonly user: Member['user'];
  readonly role: Member['roles'][number];
}

interface RemoveDialogProps {
  readonly projectId: string;
  readonly removal: Removal;
  readonly onClose: () => void;
}

export function RemoveDialog({ projectId, removal: { user, role }, onClose }: RemoveDialogProps) {
  const t = useMessages(MESSAGES);
  const perform = useCallback(async () => {
    const path = { projectId, userId: user.id, roleId: role.id };
    await clientOf(projectId).call('revokeRoleOnProjectV3', { path });
    showToast({ text: t.removed(role.name, user.name) });
    onClose();
    await queryClient.invalidateQueries({ queryKey: membersOf(projectId) });
  }, [projectId, user, role, onClose, t]);
  return (
    <FormDialog
      title={t.removeTitle(role.name, user.name)}
      submit={t.removeRole}
      isDangerous
      action={useAction(perform)}
      onClose={onClose}
    >
      <p>{t.removeText}</p>
    </FormDialog>
  );
}
