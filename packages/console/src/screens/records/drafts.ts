import { keep, readKept } from '../../state/kept.js';
import type { RecordDraft } from './record-text.js';
import type { ListedRecord } from './use-records.js';

/** What was typed into the editor of a record that is there, and what the record was when it was opened. */
interface EditedDraft {
  readonly record: ListedRecord;
  readonly draft: RecordDraft;
}

const keyOf = (domainId: string, kind: 'new' | 'edited') => `draft.${domainId}.${kind}`;

/** Of the two editors of a domain's records, what was typed there and not saved: a reload or another screen loses nothing. */
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
