import { useCallback, useRef, useState } from 'react';
import { clientOf } from '../../api/client.js';
import { queryClient } from '../../api/queries.js';
import { useMessages } from '../../messages/language.js';
import { SelectField, TextField } from '../../ui/field.js';
import { FormDialog } from '../../ui/form-dialog.js';
import { Secret, SecretsDialog } from '../../ui/secrets-dialog.js';
import { useAction } from '../../ui/use-action.js';
import { generatePassword, membersOf } from './members.js';
import { MESSAGES } from './messages.js';

/** Roles that who administers an account domain may give, and that say something in a project. */
const ROLES = ['dns-admin', 'member'] as const;

interface InviteDialogProps {
  readonly projectId: string;
  readonly onClose: () => void;
}

/** Makes a user with a role in the project; then its first password is shown, once. */
export function InviteDialog({ projectId, onClose }: InviteDialogProps) {
  const t = useMessages(MESSAGES);
  const [name, setName] = useState('');
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<(typeof ROLES)[number]>('dns-admin');
  const [password] = useState(generatePassword);
  const [isMade, setIsMade] = useState(false);
  /** Made already, when only the role was refused. */
  const userId = useRef<string>(undefined);
  const perform = useCallback(async () => {
    const client = clientOf(projectId);
    const { value } = await client.call('listRolesV3', { query: { name: role } });
    userId.current ??= await (async () => {
      const user = { name: name.trim(), password, default_project_id: projectId };
      const body = { user: email === '' ? user : { ...user, email } };
      return (await client.call('createUserV3', { body })).value.user.id;
    })();
    const path = { projectId, userId: userId.current, roleId: value.roles[0]?.id ?? role };
    await client.call('grantRoleOnProjectV3', { path });
    setIsMade(true);
    await queryClient.invalidateQueries({ queryKey: membersOf(projectId) });
  }, [projectId, name, email, role, password]);
  const action = useAction(perform);
  if (isMade) return <PasswordDialog name={name.trim()} password={password} onClose={onClose} />;
  return (
    <FormDialog
      key="invite"
      title={t.inviteTitle}
      submit={t.create}
      action={action}
      onClose={onClose}
    >
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
      <TextField
        label={t.email}
        type="email"
        isOptional
        value={email}
        onChange={(event) => {
          setEmail(event.target.value);
        }}
      />
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
