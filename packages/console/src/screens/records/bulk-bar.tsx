import { toZoneLine } from '../../change-list/zone-line.js';
import { useMessages } from '../../messages/language.js';
import { Button } from '../../ui/button.js';
import { SelectionBar } from '../../ui/selection-bar.js';
import { showToast } from '../../ui/toasts.js';
import type { BulkKind } from './bulk-dialog.js';
import { MESSAGES } from './messages.js';
import type { ListedRecord } from './use-records.js';

interface BulkBarProps {
  readonly records: readonly ListedRecord[];
  readonly onBulk: (kind: BulkKind) => void;
  readonly onClear: () => void;
}

/** Actions for all selected records. */
export function BulkBar({ records, onBulk, onClear }: BulkBarProps) {
  const t = useMessages(MESSAGES);
  return (
    <SelectionBar text={t.selected(records.length)}>
      <Button
        icon="clock"
        onClick={() => {
          onBulk('ttl');
        }}
      >
        {t.setTtl}
      </Button>
      <Button
        icon="edit"
        onClick={() => {
          onBulk('replace');
        }}
      >
        {t.replace}
      </Button>
      <Button
        icon="tag"
        onClick={() => {
          onBulk('tags');
        }}
      >
        {t.tags}
      </Button>
      <Button
        icon="power"
        onClick={() => {
          onBulk(records.some(({ disabled }) => disabled !== true) ? 'off' : 'on');
        }}
      >
        {records.some(({ disabled }) => disabled !== true) ? t.switchOffMany : t.switchOnMany}
      </Button>
      <Button
        icon="copy"
        onClick={() => {
          const text = `${records.map(toZoneLine).join('\n')}\n`;
          void navigator.clipboard.writeText(text).then(() => {
            showToast({ text: t.copied(records.length) });
          });
        }}
      >
        {t.copyZone}
      </Button>
      <Button
        kind="danger"
        icon="trash"
        onClick={() => {
          onBulk('delete');
        }}
      >
        {t.deleteMany}
      </Button>
      <Button kind="quiet" onClick={onClear}>
        {t.clear}
      </Button>
    </SelectionBar>
  );
}
