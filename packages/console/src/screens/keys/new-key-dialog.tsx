import { useQuery } from '@tanstack/react-query';
import { type AccessKey, readAll } from '@zonewright/client';
import { useCallback, useMemo, useState } from 'react';
import { clientOf } from '../../api/client.js';
import { keys } from '../../api/queries.js';
import { useMessages } from '../../state/language.js';
import { SelectField, TextField } from '../../ui/field.js';
import { FormDialog } from '../../ui/form-dialog.js';
import { useAction } from '../../ui/use-action.js';
import { createCommands } from './key-commands.js';
import { MESSAGES } from './messages.js';
import { EMPTY_RULE, type Preset, PRESETS, type RuleForm, toNewKey } from './presets.js';
import { RulesEditor } from './rules-editor.js';

const OF_ONE_DOMAIN: ReadonlySet<Preset> = new Set(['acme', 'dyndns', 'domain']);
const DEFAULT_DAYS = 365;

interface NewKeyDialogProps {
  readonly projectId: string;
  readonly onMade: (key: AccessKey) => Promise<void>;
  readonly onClose: () => void;
}

export function NewKeyDialog({ projectId, onMade, onClose }: NewKeyDialogProps) {
  const t = useMessages(MESSAGES);
  const [name, setName] = useState('');
  const [preset, setPreset] = useState<Preset>('acme');
  const [chosen, setDomain] = useState('');
  const [record, setRecord] = useState('');
  const [days, setDays] = useState(String(DEFAULT_DAYS));
  const [rules, setRules] = useState<readonly RuleForm[]>([EMPTY_RULE]);
  const [networks, setNetworks] = useState('');
  const domains = useQuery({
    queryKey: [...keys.domains(projectId), 'names'],
    queryFn: async ({ signal }) =>
      (await readAll(clientOf(projectId).domains.list({ signal }))).map((each) => each.name),
  });
  const domain = chosen === '' ? (domains.data?.[0] ?? '') : chosen;
  const wish = useMemo(
    () => ({
      ...{ name: name.trim(), preset, domain, rules, networks },
      record: record.trim(),
      days: Number(days),
    }),
    [name, preset, domain, record, days, rules, networks],
  );
  const perform = useCallback(async () => {
    await onMade(await clientOf(projectId).keys.create(toNewKey(wish, projectId)));
  }, [projectId, wish, onMade]);
  // The list of domains may still be loading.
  const isOfDomain = !OF_ONE_DOMAIN.has(preset) || domain !== '';
  const isWhole = wish.name !== '' && isOfDomain && (preset !== 'dyndns' || wish.record !== '');
  return (
    <FormDialog
      title={t.add}
      submit={t.create}
      action={useAction(perform)}
      commands={isWhole ? createCommands(wish, projectId) : undefined}
      onClose={onClose}
    >
      <TextField
        label={t.name}
        hint={t.nameHint}
        required
        maxLength={64}
        value={name}
        onChange={(event) => {
          setName(event.target.value);
        }}
      />
      <SelectField
        label={t.preset}
        value={preset}
        onChange={(event) => {
          setPreset(event.target.value as Preset);
        }}
      >
        {PRESETS.map((each) => (
          <option key={each} value={each}>
            {t.presets[each]}
          </option>
        ))}
      </SelectField>
      {OF_ONE_DOMAIN.has(preset) && (
        <SelectField
          label={t.domain}
          required
          value={domain}
          onChange={(event) => {
            setDomain(event.target.value);
          }}
        >
          {(domains.data ?? []).map((each) => (
            <option key={each} value={each}>
              {each.replace(/\.$/, '')}
            </option>
          ))}
        </SelectField>
      )}
      {preset === 'dyndns' && (
        <TextField
          label={t.record}
          hint={t.recordHint}
          isMono
          required
          value={record}
          onChange={(event) => {
            setRecord(event.target.value);
          }}
        />
      )}
      {preset === 'custom' && (
        <RulesEditor
          domains={domains.data ?? []}
          rules={rules}
          networks={networks}
          onRules={setRules}
          onNetworks={setNetworks}
        />
      )}
      <TextField
        label={t.days}
        type="number"
        min={1}
        max={3650}
        required
        suffix={t.daysSuffix}
        value={days}
        onChange={(event) => {
          setDays(event.target.value);
        }}
      />
    </FormDialog>
  );
}
