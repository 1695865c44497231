import { useCallback } from 'react';
import { useMessages } from '../../messages/language.js';
import { FormDialog } from '../../ui/form-dialog.js';
import { showUndo } from '../../ui/toasts.js';
import { useAction } from '../../ui/use-action.js';
import { roleCommands } from './member-commands.js';
import { grantRole, type Member, revokeRole } from './members.js';
import { MESSAGES } from './messages.js';

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
