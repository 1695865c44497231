import type { ButtonHTMLAttributes, MouseEvent, Ref } from 'react';
import styles from './button.module.css';
import { Icon, type IconName } from './icon.js';

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly kind?: 'primary' | 'plain' | 'quiet' | 'danger';
  readonly icon?: IconName;
  /** Works, and cannot be pressed meanwhile; focus stays where it is. */
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
