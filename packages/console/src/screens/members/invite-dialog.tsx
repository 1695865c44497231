import { useCallback, useRef, useState } from 'react';
import { clientOf } from '../../api/client.js';
import { useMessages } from '../../messages/language.js';
import { SelectField, TextField } from '../../ui/field.js';
import { FormDialog } from '../../ui/form-dialog.js';
import { Secret, SecretsDialog } from '../../ui/secrets-dialog.js';
import { Segments } from '../../ui/segments.js';
import { offerUndo } from '../../ui/toasts.js';
import { useAction } from '../../ui/use-action.js';
import { deleteUser, generatePassword, grantRole, revokeRole } from './members.js';
import { MESSAGES } from './messages.js';

/** Roles that who administers an account domain may give, and that say something in a project. */
const ROLES = ['dns-admin', 'member'] as const;

interface InviteDialogProps {
  readonly projectId: string;
  readonly onClose: () => void;
}

type Way = 'fresh' | 'existing';

/** Gives a role in the project: to a user that is made for it, whose first password is shown once, or to one that is there. */
export function InviteDialog({ projectId, onClose }: InviteDialogProps) {
  const t = useMessages(MESSAGES);
  const [way, setWay] = useState<Way>('fresh');
  const [name, setName] = useState('');
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<(typeof ROLES)[number]>('dns-admin');
  const [password] = useState(generatePassword);
  const [isMade, setIsMade] = useState(false);
  /** Made already, when only the role was refused. */
  const userId = useRef<string>(undefined);
  const typed = name.trim();
  const perform = useCallback(async () => {
    const client = clientOf(projectId);
    const { value } = await client.call('listRolesV3', { query: { name: role } });
    const roleId = value.roles[0]?.id ?? role;
    if (way === 'existing') {
      const { users } = (await client.call('listUsersV3', { query: { name: typed } })).value;
      const { id } = users[0] ?? {};
      if (id === undefined) throw new Error(t.unknown(typed));
      await grantRole(projectId, id, roleId);
      offerUndo(t.given(role, typed), () => revokeRole(projectId, id, roleId));
      onClose();
      return;
    }
    userId.current ??= await (async () => {
      const user = { name: typed, password, default_project_id: projectId };
      const body = { user: email === '' ? user : { ...user, email } };
      return (await client.call('createUserV3', { body })).value.user.id;
    })();
    await grantRole(projectId, userId.current, roleId);
    setIsMade(true);
  }, [projectId, way, typed, email, role, password, onClose, t]);
  const action = useAction(perform);
  if (isMade)
    return (
      <PasswordDialog
        name={typed}
        password={password}
        onClose={() => {
          const { current: id } = userId;
          if (id !== undefined) offerUndo(t.invited(typed), () => deleteUser(projectId, id));
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
