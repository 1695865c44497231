import { useCallback, useDeferredValue, useState } from 'react';
import { useSearchParams } from 'wouter';
import { useMessages } from '../../state/language.js';
import { useOpenParameter } from '../../state/hooks.js';
import { Button } from '../../ui/button.js';
import { Page } from '../../ui/page.js';
import { SearchBox, Segments } from '../../ui/field.js';
import type { ProjectScreenProps } from '../../shell/screen-props.js';
import { DeletedDomains } from './deleted-domains.js';
import { DomainList } from './domain-list.js';
import styles from './domains.module.css';
import { MESSAGES } from './messages.js';
import { NewDomainDialog } from './new-domain-dialog.js';
import { SelectedDomains, type Selection } from './selected-domains.js';

const NOTHING: Selection = new Map();

export function DomainsScreen({ projectId }: ProjectScreenProps) {
  const t = useMessages(MESSAGES);
  const [search, setSearch] = useSearchParams();
  const q = search.get('q') ?? '';
  const isDeleted = search.get('deleted') === 'true';
  const [isCreating, setIsCreating] = useState(false);
  const startNew = useCallback(() => {
    setIsCreating(true);
  }, []);
  useOpenParameter(startNew);
  const [selection, setSelection] = useState(NOTHING);
  const wanted = useDeferredValue(q);
  const change = (next: { q?: string; deleted?: boolean }) => {
    const { q: text = q, deleted = isDeleted } = next;
    setSearch(
      { ...(text === '' ? {} : { q: text }), ...(deleted ? { deleted: 'true' } : {}) },
      { replace: true },
    );
  };
  return (
    <Page
      title={t.title}
      actions={
        <Button kind="primary" icon="plus" onClick={startNew}>
          {t.newDomain}
        </Button>
      }
    >
      <div className={styles['tools']}>
        <SearchBox
          label={t.search}
          value={q}
          onChange={(text) => {
            change({ q: text });
          }}
        />
        <Segments
          label={t.which}
          value={isDeleted ? 'deleted' : 'active'}
          options={[
            ['active', t.active],
            ['deleted', t.deleted],
          ]}
          onChange={(value) => {
            change({ deleted: value === 'deleted' });
          }}
        />
      </div>
      {!isDeleted && selection.size > 0 && (
        <SelectedDomains projectId={projectId} selection={selection} onSelect={setSelection} />
      )}
      {isDeleted ? (
        <DeletedDomains projectId={projectId} q={wanted} />
      ) : (
        <DomainList
          projectId={projectId}
          q={wanted}
          selection={selection}
          onSelect={setSelection}
          onCreate={startNew}
        />
      )}
      {isCreating && (
        <NewDomainDialog
          projectId={projectId}
          onClose={() => {
            setIsCreating(false);
          }}
        />
      )}
    </Page>
  );
}
