import { useQuery } from '@tanstack/react-query';
import { useCallback, useMemo, useRef, useState } from 'react';
import { clientOf } from '../../api/client.js';
import { useMessages } from '../../state/language.js';
import { useSettled } from '../../state/hooks.js';
import { Segments, SelectField, TextField } from '../../ui/field.js';
import { FormDialog } from '../../ui/form-dialog.js';
import { Secret, SecretsDialog } from '../../ui/secrets-dialog.js';
import type { CommandTexts } from '../../ui/shell.js';
import { showUndo } from '../../ui/toasts.js';
import { useAction } from '../../ui/use-action.js';
import {
  deleteUser,
  findRoleId,
  findUserId,
  generatePassword,
  grantRole,
  inviteCommands,
  membersOf,
  revokeRole,
  roleCommands,
} from './members.js';
import { MESSAGES } from './members-messages.js';

/** Roles that an administrator of an account domain may grant and that have a meaning in a project. */
const ROLES = ['dns-admin', 'member'] as const;

interface InviteDialogProps {
  readonly projectId: string;
  readonly onClose: () => void;
}

type Way = 'fresh' | 'existing';

/** Grants a role in the project to an existing user, or to a new one whose initial password is shown once. */
export function InviteDialog({ projectId, onClose }: InviteDialogProps) {
  const t = useMessages(MESSAGES);
  const [way, setWay] = useState<Way>('fresh');
  const [name, setName] = useState('');
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<(typeof ROLES)[number]>('dns-admin');
  const [password] = useState(generatePassword);
  const [isMade, setIsMade] = useState(false);
  /** Set if the user was created but the role could not be granted. */
  const userId = useRef<string>(undefined);
  const typed = name.trim();
  const user = useMemo(
    () => (email === '' ? { name: typed } : { name: typed, email }),
    [typed, email],
  );
  const perform = useCallback(async () => {
    const client = clientOf(projectId);
    const roleId = await findRoleId(projectId, role);
    if (way === 'existing') {
      const id = await findUserId(projectId, typed);
      if (id === null) throw new Error(t.unknown(typed));
      await grantRole(projectId, id, roleId);
      showUndo(t.given(role, typed), () => revokeRole(projectId, id, roleId));
      onClose();
      return;
    }
    userId.current ??= await (async () => {
      const body = { user: { ...user, password, default_project_id: projectId } };
      return (await client.call('createUserV3', { body })).value.user.id;
    })();
    await grantRole(projectId, userId.current, roleId);
    setIsMade(true);
  }, [projectId, way, typed, user, role, password, onClose, t]);
  const action = useAction(perform);
  const commands = useInviteCommands(projectId, way, user, role);
  if (isMade)
    return (
      <PasswordDialog
        name={typed}
        password={password}
        onClose={() => {
          const { current: id } = userId;
          if (id !== undefined) showUndo(t.invited(typed), () => deleteUser(projectId, id));
          onClose();
        }}
      />
    );
  return (
    <FormDialog
      key="invite"
      title={t.inviteTitle}
      submit={way === 'fresh' ? t.create : t.add}
      action={action}
      commands={commands}
      onClose={onClose}
    >
      <div>
        <Segments
          label={t.which}
          value={way}
          options={[
            ['fresh', t.fresh],
            ['existing', t.existing],
          ]}
          onChange={setWay}
        />
      </div>
      <TextField
        label={t.userName}
        autoCapitalize="none"
        required
        value={name}
        onChange={(event) => {
          userId.current = undefined;
          setName(event.target.value);
        }}
      />
      {way === 'fresh' && (
        <TextField
          label={t.email}
          type="email"
          isOptional
          value={email}
          onChange={(event) => {
            setEmail(event.target.value);
          }}
        />
      )}
      <SelectField
        label={t.role}
        value={role}
        onChange={(event) => {
          setRole(event.target.value as typeof role);
        }}
      >
        {ROLES.map((each) => (
          <option key={each} value={each}>
            {`${t.roleTexts[each]} (${each})`}
          </option>
        ))}
      </SelectField>
    </FormDialog>
  );
}

/** Returns the commands. The ids that they need are queried when a name has been entered. */
function useInviteCommands(
  projectId: string,
  way: Way,
  user: Parameters<typeof inviteCommands>[1],
  role: string,
): CommandTexts | undefined {
  const name = useSettled(user.name);
  const found = useQuery({
    queryKey: [...membersOf(projectId), 'ids', way, name, role],
    queryFn: async () => ({
      roleId: await findRoleId(projectId, role),
      userId: way === 'existing' ? await findUserId(projectId, name) : null,
    }),
    enabled: name !== '',
  });
  if (found.data === undefined || name !== user.name) return undefined;
  const { roleId, userId } = found.data;
  if (way === 'fresh') return inviteCommands(projectId, user, roleId);
  return userId === null ? undefined : roleCommands('PUT', projectId, userId, roleId);
}

function PasswordDialog({
  name,
  password,
  onClose,
}: {
  readonly name: string;
  readonly password: string;
  readonly onClose: () => void;
}) {
  const t = useMessages(MESSAGES);
  return (
    <SecretsDialog
      key="password"
      title={t.made}
      warning={t.once}
      facts={[
        [t.userName, <strong key="name">{name}</strong>],
        [t.password, <Secret key="password" text={password} />],
      ]}
      onClose={onClose}
    />
  );
}
