import { useEffect, useRef } from 'react';
import { languageStore, useMessages } from '../state/language.js';
import { SHARED } from '../state/shared-messages.js';
import { createStore, useStore } from '../state/store.js';
import { Button } from './button.js';
import type { IconName } from './icon.js';
import styles from './toasts.module.css';

interface Toast {
  readonly id: number;
  readonly text: string;
  readonly tone?: 'bad';
  /** Whether the toast stays until its caller removes it. */
  readonly isLasting?: boolean;
  readonly action?: {
    readonly label: string;
    readonly icon?: IconName;
    readonly run: () => void;
  };
}

const LIFE_MS = 10_000;
const MOST = 3;

const store = createStore<readonly Toast[]>([]);
let nextId = 1;

/** Last change that can be undone. It outlives its toast, since a user may notice a mistake later. */
export const undoStore = createStore<Toast | undefined>(undefined);

export function runUndo(toast: Toast): void {
  dismissToast(toast.id);
  if (undoStore.get() === toast) undoStore.set(undefined);
  toast.action?.run();
}

/** Shows a message about a completed action for ten seconds. */
export function showToast(toast: Omit<Toast, 'id'>): number {
  const id = nextId++;
  const shown = { ...toast, id };
  // Actions with an icon are not undo actions.
  if (toast.action !== undefined && toast.action.icon === undefined) undoStore.set(shown);
  const all = [...store.get(), shown];
  const brief = all.filter(({ isLasting }) => isLasting !== true).slice(-MOST);
  store.set(all.filter((each) => each.isLasting === true || brief.includes(each)));
  return id;
}

/** Shows a toast with an undo action. If the undo fails, a toast shows the error. */
export function showUndo(text: string, undo: () => Promise<void>): void {
  const run = () => {
    undo().catch((error: unknown) => {
      showToast({ text: error instanceof Error ? error.message : String(error), tone: 'bad' });
    });
  };
  showToast({ text, action: { label: SHARED[languageStore.get()].undo, run } });
}

export function dismissToast(id: number): void {
  store.set(store.get().filter((toast) => toast.id !== id));
}

/** Rendered in the top layer, so that toasts are visible above dialogs. */
export function Toasts() {
  const toasts = useStore(store);
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const layer = ref.current;
    if (layer === null || toasts.length === 0) return;
    // The layer is reopened each time, since the popover that was opened last is on top.
    layer.hidePopover();
    layer.showPopover();
  }, [toasts]);
  return (
    <div ref={ref} popover="manual" className={styles['layer']} role="status" aria-live="polite">
      {toasts.map((toast) => (
        <ToastView key={toast.id} toast={toast} />
      ))}
    </div>
  );
}

function ToastView({ toast }: { readonly toast: Toast }) {
  const { id, text, tone, isLasting = false, action } = toast;
  const t = useMessages(SHARED);
  useEffect(() => {
    if (isLasting) return undefined;
    const timer = setTimeout(() => {
      dismissToast(id);
    }, LIFE_MS);
    return () => {
      clearTimeout(timer);
    };
  }, [id, isLasting]);
  return (
    <div className={`${styles['toast'] ?? ''} ${tone === 'bad' ? (styles['bad'] ?? '') : ''}`}>
      <span className={styles['text']}>{text}</span>
      {action !== undefined && (
        <Button
          icon={action.icon ?? 'undo'}
          onClick={() => {
            runUndo(toast);
          }}
        >
          {action.label}
        </Button>
      )}
      {!isLasting && (
        <Button
          kind="quiet"
          icon="close"
          aria-label={t.close}
          onClick={() => {
            dismissToast(id);
          }}
        />
      )}
    </div>
  );
}
