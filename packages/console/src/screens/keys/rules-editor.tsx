import { useMessages } from '../../state/language.js';
import { Button } from '../../ui/button.js';
import { SelectField, TextField } from '../../ui/field.js';
import styles from './keys.module.css';
import { MESSAGES } from './messages.js';
import { EMPTY_RULE, type RuleForm } from './presets.js';

interface RulesEditorProps {
  /** Names with a trailing dot. */
  readonly domains: readonly string[];
  readonly rules: readonly RuleForm[];
  readonly networks: string;
  readonly onRules: (rules: readonly RuleForm[]) => void;
  readonly onNetworks: (networks: string) => void;
}

/** Edits the rules of a key. The service limits their number. */
export function RulesEditor({ domains, rules, networks, onRules, onNetworks }: RulesEditorProps) {
  const t = useMessages(MESSAGES);
  return (
    <>
      {rules.map((rule, index) => (
        <RuleFields
          key={index}
          domains={domains}
          rule={rule}
          number={index + 1}
          onChange={(next) => {
            onRules(rules.with(index, next));
          }}
          onRemove={
            rules.length === 1
              ? undefined
              : () => {
                  onRules(rules.toSpliced(index, 1));
                }
          }
        />
      ))}
      <div>
        <Button
          icon="plus"
          onClick={() => {
            onRules([...rules, EMPTY_RULE]);
          }}
        >
          {t.addRule}
        </Button>
      </div>
      <TextField
        label={t.fromNetworks}
        hint={t.fromNetworksHint}
        isOptional
        isMono
        value={networks}
        onChange={({ target: { value } }) => {
          onNetworks(value);
        }}
      />
    </>
  );
}

interface RuleFieldsProps {
  readonly domains: readonly string[];
  readonly rule: RuleForm;
  readonly number: number;
  readonly onChange: (rule: RuleForm) => void;
  readonly onRemove: (() => void) | undefined;
}

function RuleFields({ domains, rule, number, onChange, onRemove }: RuleFieldsProps) {
  const t = useMessages(MESSAGES);
  return (
    <fieldset className={styles['rule']}>
      <legend>{t.rule(number)}</legend>
      <SelectField
        label={t.domain}
        value={rule.zone}
        onChange={({ target: { value } }) => {
          onChange({ ...rule, zone: value });
        }}
      >
        <option value="*">{t.allDomains}</option>
        {domains.map((each) => (
          <option key={each} value={each}>
            {each.replace(/\.$/, '')}
          </option>
        ))}
      </SelectField>
      <SelectField
        label={t.may}
        value={rule.isChanging ? 'change' : 'read'}
        onChange={({ target: { value } }) => {
          onChange({ ...rule, isChanging: value === 'change' });
        }}
      >
        <option value="change">{t.mayChange}</option>
        <option value="read">{t.mayRead}</option>
      </SelectField>
      <TextField
        label={t.ruleName}
        hint={t.ruleNameHint}
        isOptional
        isMono
        value={rule.name}
        onChange={({ target: { value } }) => {
          onChange({ ...rule, name: value });
        }}
      />
      <TextField
        label={t.ruleTypes}
        hint={t.ruleTypesHint}
        isOptional
        isMono
        value={rule.types}
        onChange={({ target: { value } }) => {
          onChange({ ...rule, types: value });
        }}
      />
      {onRemove !== undefined && (
        <Button kind="quiet" icon="close" onClick={onRemove}>
          {t.removeRule(number)}
        </Button>
      )}
    </fieldset>
  );
}
