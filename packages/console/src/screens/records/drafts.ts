import { keep, readKept } from '../../state/kept.js';
import type { RecordDraft } from './record-text.js';
import type { ListedRecord } from './use-records.js';

/** Input in the editor of an existing record, and the record as it was when the editor was opened. */
interface EditedDraft {
  readonly record: ListedRecord;
  readonly draft: RecordDraft;
}

const keyOf = (domainId: string, kind: 'new' | 'edited') => `draft.${domainId}.${kind}`;

/** Unsaved input of the two record editors of a domain. It survives a reload and other screens. */
export const drafts = {
  readNew: (domainId: string) => readKept(keyOf(domainId, 'new')) as RecordDraft | undefined,
  keepNew: (domainId: string, draft: RecordDraft | undefined) => {
    keep(keyOf(domainId, 'new'), draft);
  },
  readEdited: (domainId: string) => readKept(keyOf(domainId, 'edited')) as EditedDraft | undefined,
  keepEdited: (domainId: string, edited: EditedDraft | undefined) => {
    keep(keyOf(domainId, 'edited'), edited);
  },
};
