import { saveInput, readSavedInput } from '../../state/saved-input.js';
import type { RecordValues } from './record-text.js';
import type { ListedRecord } from './use-records.js';

/** Input in the editor of an existing record, and the record as it was when the editor was opened. */
interface EditedDraft {
  readonly record: ListedRecord;
  readonly draft: RecordValues;
}

const keyOf = (domainId: string, kind: 'new' | 'edited') => `draft.${domainId}.${kind}`;

/** Unsaved input of the two record editors of a domain. It survives a reload and other screens. */
export const drafts = {
  readNew: (domainId: string) => readSavedInput(keyOf(domainId, 'new')) as RecordValues | undefined,
  keepNew: (domainId: string, draft: RecordValues | undefined) => {
    saveInput(keyOf(domainId, 'new'), draft);
  },
  readEdited: (domainId: string) =>
    readSavedInput(keyOf(domainId, 'edited')) as EditedDraft | undefined,
  keepEdited: (domainId: string, edited: EditedDraft | undefined) => {
    saveInput(keyOf(domainId, 'edited'), edited);
  },
};
