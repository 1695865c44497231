import { useCallback, useMemo, useState } from 'react';
import type { ListedDomain } from '../../api/queries.js';
import { useMessages } from '../../state/language.js';
import { useOpenParameter } from '../../state/hooks.js';
import { Button } from '../../ui/button.js';
import { FormDialog } from '../../ui/form-dialog.js';
import { SelectionBar } from '../../ui/table.js';
import { showUndo } from '../../ui/toasts.js';
import { useAction } from '../../ui/use-action.js';
import {
  BatchReview,
  recordCommands,
  toBatches,
  toOperation,
  useBatchReview,
} from './batch-review.js';
import { MESSAGES } from './messages.js';
import type { Collected } from './use-collected.js';
import type { Writer } from './use-writer.js';

interface CollectedBarProps {
  readonly projectId: string;
  readonly domain: ListedDomain;
  readonly collected: Collected;
  readonly writer: Writer;
}

/** Shows the collected changes, with buttons to review and to discard them. */
export function CollectedBar(props: CollectedBarProps) {
  const { collected } = props;
  const t = useMessages(MESSAGES);
  const [isReviewing, setIsReviewing] = useState(false);
  const review = useCallback(() => {
    setIsReviewing(true);
  }, []);
  useOpenParameter(review, 'review');
  const text = t.collected(collected.changes.length);
  return (
    <SelectionBar text={text} label={t.collect} isWaiting>
      <Button kind="primary" onClick={review}>
        {t.reviewAll}
      </Button>
      <Button
        kind="quiet"
        onClick={() => {
          const { changes } = collected;
          collected.clear();
          showUndo(t.discarded, async () => {
            await Promise.resolve();
            collected.put(changes);
          });
        }}
      >
        {t.discard}
      </Button>
      {isReviewing && (
        <ReviewDialog
          {...props}
          onClose={() => {
            setIsReviewing(false);
          }}
        />
      )}
    </SelectionBar>
  );
}

function ReviewDialog({
  projectId,
  domain,
  collected,
  writer,
  onClose,
}: CollectedBarProps & { readonly onClose: () => void }) {
  const t = useMessages(MESSAGES);
  const { changes } = collected;
  const operations = useMemo(() => changes.map(toOperation), [changes]);
  const review = useBatchReview(projectId, domain.id, operations);
  const perform = useCallback(async () => {
    await writer.write(
      t.collectedDone(operations.length),
      ...toBatches(projectId, domain.id, operations),
    );
    onClose();
    collected.clear();
  }, [projectId, domain.id, operations, writer, collected, onClose, t]);
  return (
    <FormDialog
      title={t.collected(changes.length)}
      width="wide"
      submit={t.apply}
      isReady={review.refused.length === 0 && review.error === null}
      action={useAction(perform)}
      commands={recordCommands(domain, changes)}
      onClose={onClose}
    >
      <BatchReview review={review} changes={changes} />
    </FormDialog>
  );
}
