import { decodeFile } from '@zonewright/client';
import {
  type InputHTMLAttributes,
  type ReactNode,
  type Ref,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useId,
} from 'react';
import { useMessages } from '../state/language.js';
import { SHARED } from '../state/shared-messages.js';
import { Icon } from './icon.js';
import styles from './field.module.css';

interface FieldProps {
  readonly label: string;
  readonly hint?: ReactNode;
  /** Error message of the service. */
  readonly error?: string | undefined;
  readonly isOptional?: boolean | undefined;
}

interface WiringProps {
  readonly id: string;
  readonly 'aria-describedby': string | undefined;
  readonly 'aria-invalid': true | undefined;
}

/** Label, control, hint and error, connected for assistive technology. */
function Frame({
  label,
  hint,
  error,
  isOptional = false,
  children,
}: FieldProps & { readonly children: (wiring: WiringProps) => ReactNode }) {
  const id = useId();
  const t = useMessages(SHARED);
  const describedBy = [error !== undefined && `${id}-error`, hint !== undefined && `${id}-hint`]
    .filter(Boolean)
    .join(' ');
  return (
    <div className={styles['field']}>
      <label htmlFor={id}>
        {label}
        {isOptional && <span className={styles['optional']}> {t.optional}</span>}
      </label>
      {children({
        id,
        'aria-describedby': describedBy || undefined,
        'aria-invalid': error === undefined ? undefined : true,
      })}
      {error !== undefined && (
        <p id={`${id}-error`} className={styles['error']} role="alert">
          {error}
        </p>
      )}
      {hint !== undefined && (
        <p id={`${id}-hint`} className={styles['hint']}>
          {hint}
        </p>
      )}
    </div>
  );
}

type TextFieldProps = FieldProps &
  Omit<InputHTMLAttributes<HTMLInputElement>, 'id'> & {
    readonly isMono?: boolean;
    readonly ref?: Ref<HTMLInputElement>;
    readonly suffix?: string;
  };

export function TextField({
  label,
  hint,
  error,
  isOptional,
  isMono = false,
  suffix,
  ...rest
}: TextFieldProps) {
  return (
    <Frame label={label} hint={hint} error={error} isOptional={isOptional}>
      {(wiring) => (
        <span className={styles['row']}>
          <input
            type="text"
            autoComplete="off"
            spellCheck={false}
            {...rest}
            {...wiring}
            className={`${styles['control'] ?? ''} ${isMono ? (styles['mono'] ?? '') : ''}`}
          />
          {suffix !== undefined && <span className={styles['suffix']}>{suffix}</span>}
        </span>
      )}
    </Frame>
  );
}

export function SelectField({
  label,
  hint,
  error,
  isOptional,
  children,
  ...rest
}: FieldProps & Omit<SelectHTMLAttributes<HTMLSelectElement>, 'id'>) {
  return (
    <Frame label={label} hint={hint} error={error} isOptional={isOptional}>
      {(wiring) => (
        <select {...rest} {...wiring} className={styles['control']}>
          {children}
        </select>
      )}
    </Frame>
  );
}

export function TextArea({
  label,
  hint,
  error,
  isOptional,
  ...rest
}: FieldProps & Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'id'>) {
  return (
    <Frame label={label} hint={hint} error={error} isOptional={isOptional}>
      {(wiring) => (
        <textarea
          spellCheck={false}
          rows={8}
          {...rest}
          {...wiring}
          className={`${styles['control'] ?? ''} ${styles['mono'] ?? ''}`}
        />
      )}
    </Frame>
  );
}

/** A file that the user chose. */
export interface ChosenFile {
  readonly name: string;
  readonly text: string;
}

export async function readFiles(list: FileList | null): Promise<ChosenFile[]> {
  return await Promise.all(
    Array.from(list ?? [], async (file) => ({
      name: file.name,
      text: decodeFile(new Uint8Array(await file.arrayBuffer())),
    })),
  );
}

/** Field for files: they are chosen with its button, or dropped on it. */
export function FileField({
  label,
  hint,
  error,
  multiple = false,
  onFiles,
}: FieldProps & {
  readonly multiple?: boolean;
  readonly onFiles: (files: readonly ChosenFile[]) => void;
}) {
  return (
    <Frame label={label} hint={hint} error={error}>
      {(wiring) => (
        <input
          {...wiring}
          type="file"
          multiple={multiple}
          className={styles['control']}
          onChange={(event) => {
            void readFiles(event.target.files).then(onFiles);
          }}
        />
      )}
    </Frame>
  );
}

export function Checkbox({
  label,
  ...rest
}: { readonly label: ReactNode } & InputHTMLAttributes<HTMLInputElement>) {
  return (
    <label className={styles['checkbox']}>
      <input type="checkbox" {...rest} />
      <span>{label}</span>
    </label>
  );
}

interface SearchBoxProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly ref?: Ref<HTMLInputElement>;
}

export function SearchBox({ label, value, onChange, ref }: SearchBoxProps) {
  return (
    <div className={styles['box']} role="search">
      <Icon name="search" />
      <input
        ref={ref}
        type="search"
        aria-label={label}
        placeholder={label}
        autoComplete="off"
        spellCheck={false}
        value={value}
        onChange={(event) => {
          onChange(event.target.value);
        }}
      />
    </div>
  );
}

interface SegmentsProps<T extends string> {
  readonly label: string;
  readonly value: T;
  readonly options: readonly (readonly [T, string])[];
  readonly onChange: (value: T) => void;
}

/** Choice among a few options that are all visible. */
export function Segments<T extends string>({ label, value, options, onChange }: SegmentsProps<T>) {
  const name = useId();
  return (
    <div role="radiogroup" aria-label={label} className={styles['segments']}>
      {options.map(([each, text]) => (
        <label key={each}>
          <input
            type="radio"
            name={name}
            checked={each === value}
            onChange={() => {
              onChange(each);
            }}
          />
          <span>{text}</span>
        </label>
      ))}
    </div>
  );
}
