import type { KeyboardEvent } from 'react';
import type { RecordValues } from './record-text.js';
import type { Sorting } from '../../state/sort-records.js';
import type { ListedRecord } from './use-records.js';

/** Actions on the records of a grid. */
export interface GridActions {
  readonly onSelect: (ids: ReadonlySet<string>) => void;
  readonly onSort: (sorting: Sorting) => void;
  readonly onEdit: (id: string | undefined) => void;
  readonly onSave: (record: ListedRecord, draft: RecordValues) => Promise<void>;
  readonly onDelete: (record: ListedRecord) => void;
  readonly onToggle: (record: ListedRecord) => void;
  readonly onTag: (tag: string) => void;
  readonly onHistory: (record: ListedRecord) => void;
  readonly onNew: () => void;
  readonly onUndo: () => void;
  readonly onFilter: () => void;
  readonly onHelp: () => void;
}

/** Input of the keyboard handler. */
export interface GridKeys {
  readonly records: readonly ListedRecord[];
  readonly selected: ReadonlySet<string>;
  readonly current: number;
  readonly anchor: number;
  readonly actions: GridActions;
  /** Moves the focus. If `isRange` is set, the beginning of the range stays. */
  readonly go: (index: number, isRange: boolean) => void;
}

const PAGE = 15;
const STEPS: Readonly<Record<string, number>> = {
  ArrowDown: 1,
  j: 1,
  ArrowUp: -1,
  k: -1,
  PageDown: PAGE,
  PageUp: -PAGE,
  Home: -Infinity,
  End: Infinity,
};

/** Handles a key. Single letters are handled only while the focus is in the grid (WCAG 2.1.4). */
export function handleKey(event: KeyboardEvent, grid: GridKeys): void {
  if (event.altKey) return;
  const isDone =
    event.ctrlKey || event.metaKey
      ? handleControl(event, grid)
      : handleStep(event, grid) || handlePlain(event, grid);
  if (isDone) event.preventDefault();
}

function handleStep(
  { key, shiftKey }: KeyboardEvent,
  { records, current, anchor, actions, go }: GridKeys,
): boolean {
  const step = STEPS[key];
  if (step === undefined) return false;
  const next = Math.max(0, Math.min(current + step, records.length - 1));
  if (shiftKey) {
    const [from, to] = [Math.min(anchor, next), Math.max(anchor, next)];
    actions.onSelect(new Set(records.slice(from, to + 1).map(({ id }) => id)));
  }
  go(next, shiftKey);
  return true;
}

function handleControl({ key }: KeyboardEvent, { records, actions }: GridKeys): boolean {
  if (key === 'a') actions.onSelect(new Set(records.map(({ id }) => id)));
  else if (key === 'z') actions.onUndo();
  else return false;
  return true;
}

function handlePlain({ key, target }: KeyboardEvent, grid: GridKeys): boolean {
  const { records, selected, current, actions } = grid;
  const record = records[current];
  // Enter and Space on a button press the button.
  const isOnButton = target instanceof Element && target.closest('button, input') !== null;
  if (record === undefined || (isOnButton && (key === 'Enter' || key === ' '))) return false;
  const doing: Readonly<Record<string, () => void>> = {
    Enter: () => {
      actions.onEdit(record.id);
    },
    e: () => {
      actions.onEdit(record.id);
    },
    ' ': () => {
      actions.onSelect(toggled(selected, record.id));
    },
    Delete: () => {
      actions.onDelete(record);
    },
    o: () => {
      actions.onToggle(record);
    },
    n: actions.onNew,
    u: actions.onUndo,
    h: () => {
      actions.onHistory(record);
    },
    '/': actions.onFilter,
    '?': actions.onHelp,
    Escape: () => {
      actions.onSelect(new Set());
    },
  };
  const act = doing[key];
  act?.();
  return act !== undefined;
}

function toggled(selected: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const ids = new Set(selected);
  if (!ids.delete(id)) ids.add(id);
  return ids;
}
