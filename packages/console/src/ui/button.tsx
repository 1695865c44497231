import { type ButtonHTMLAttributes, type MouseEvent, type Ref, useState } from 'react';
import { useMessages } from '../state/language.js';
import { SHARED } from '../state/shared-messages.js';
import { Icon, type IconName } from './icon.js';
import { saveFile } from './save-file.js';
import styles from './button.module.css';

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly kind?: 'primary' | 'plain' | 'quiet' | 'danger';
  readonly icon?: IconName;
  /** Whether the action is running. The button cannot be pressed then, and keeps the focus. */
  readonly isBusy?: boolean;
  readonly ref?: Ref<HTMLButtonElement>;
}

export function Button({ kind = 'plain', icon, isBusy = false, ...rest }: ButtonProps) {
  const { children, onClick, className } = rest;
  const classes = [
    styles['button'],
    styles[kind],
    children === undefined && styles['square'],
    className,
  ];
  return (
    <button
      type="button"
      {...rest}
      className={classes.filter(Boolean).join(' ')}
      {...(isBusy ? { 'aria-disabled': true, 'aria-busy': true } : {})}
      onClick={isBusy ? hold : onClick}
    >
      {icon !== undefined && <Icon name={icon} />}
      {children}
    </button>
  );
}

function hold(event: MouseEvent): void {
  event.preventDefault();
}

export function CopyButton({ text, label }: { readonly text: string; readonly label?: string }) {
  const t = useMessages(SHARED);
  const [isCopied, setIsCopied] = useState(false);
  return (
    <Button
      icon={isCopied ? 'check' : 'copy'}
      onClick={() => {
        void navigator.clipboard.writeText(text).then(() => {
          setIsCopied(true);
        });
      }}
      onBlur={() => {
        setIsCopied(false);
      }}
    >
      {isCopied ? t.copied : (label ?? t.copy)}
    </Button>
  );
}

export function DownloadButton({ name, text }: { readonly name: string; readonly text: string }) {
  const t = useMessages(SHARED);
  return (
    <Button
      icon="download"
      onClick={() => {
        saveFile(name, new Blob([text], { type: 'text/plain' }));
      }}
    >
      {t.download(name)}
    </Button>
  );
}
