import { useMemo } from 'react';
import { readSavedInput, saveInput, useSavedInput } from '../../state/store.js';
import type { Change } from './batch-review.js';
import type { RecordValues } from './record-text.js';
import type { ListedRecord } from './use-records.js';

/** Changes that are collected for a review. They survive a reload and other screens. */
export interface Collected {
  readonly isOn: boolean;
  readonly changes: readonly Change[];
  /** Ids of the changed records. */
  readonly waiting: ReadonlySet<string>;
  readonly toggle: () => void;
  readonly add: (changes: readonly Change[]) => void;
  /** Replaces all collected changes. */
  readonly put: (changes: readonly Change[]) => void;
  readonly clear: () => void;
}

const keyOf = (domainId: string) => `collected.${domainId}`;

/** Replaces earlier changes of a record by later ones. */
function withLater(changes: readonly Change[], later: readonly Change[]): readonly Change[] {
  const ids = new Set(later.map(({ before }) => before?.id));
  const others = changes.filter(({ before }) => before === undefined || !ids.has(before.id));
  return [...others, ...later];
}

/** Collects changes from another screen. */
export function collectFor(domainId: string, later: readonly Change[]): void {
  const changes = (readSavedInput(keyOf(domainId)) as readonly Change[] | undefined) ?? [];
  saveInput(keyOf(domainId), withLater(changes, later));
}

export function useCollected(domainId: string): Collected {
  const [isOn, setIsOn] = useSavedInput(`collecting.${domainId}`, false);
  const [changes, setChanges] = useSavedInput<readonly Change[]>(keyOf(domainId), []);
  return useMemo(
    () => ({
      isOn,
      changes,
      waiting: new Set(changes.flatMap(({ before }) => before?.id ?? [])),
      toggle: () => {
        setIsOn(!isOn);
      },
      add: (later) => {
        setChanges(withLater(changes, later));
      },
      put: setChanges,
      clear: () => {
        setChanges([]);
      },
    }),
    [isOn, changes, setIsOn, setChanges],
  );
}

/** Input in the editor of an existing record, and the record as it was when the editor was opened. */
interface EditedDraft {
  readonly record: ListedRecord;
  readonly draft: RecordValues;
}

const draftKey = (domainId: string, kind: 'new' | 'edited') => `draft.${domainId}.${kind}`;

/** Unsaved input of the two record editors of a domain. It survives a reload and other screens. */
export const drafts = {
  readNew: (domainId: string) =>
    readSavedInput(draftKey(domainId, 'new')) as RecordValues | undefined,
  keepNew: (domainId: string, draft: RecordValues | undefined) => {
    saveInput(draftKey(domainId, 'new'), draft);
  },
  readEdited: (domainId: string) =>
    readSavedInput(draftKey(domainId, 'edited')) as EditedDraft | undefined,
  keepEdited: (domainId: string, edited: EditedDraft | undefined) => {
    saveInput(draftKey(domainId, 'edited'), edited);
  },
};
