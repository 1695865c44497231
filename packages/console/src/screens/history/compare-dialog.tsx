import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { keys, type ListedDomain } from '../../api/queries.js';
import { ChangeList } from '../../change-list/change-list.js';
import { useMessages } from '../../messages/language.js';
import { Banner } from '../../ui/banner.js';
import { CopyButton } from '../../ui/copy-button.js';
import { Dialog } from '../../ui/dialog.js';
import { FailureBanner } from '../../ui/failure.js';
import { SelectField, TextArea } from '../../ui/field.js';
import { Loading } from '../../ui/query-view.js';
import { Segments } from '../../ui/segments.js';
import { compareSerials, MOST_CHANGES, readZoneAsOf } from './compare.js';
import styles from './history.module.css';
import { toDifference } from './journal-line.js';
import { MESSAGES } from './messages.js';

interface CompareDialogProps {
  readonly projectId: string;
  readonly domain: ListedDomain;
  /** The newest first. */
  readonly serials: readonly number[];
  readonly onClose: () => void;
}

/** Compares two serials, or shows the records at one. */
export function CompareDialog({ projectId, domain, serials, onClose }: CompareDialogProps) {
  const t = useMessages(MESSAGES);
  const [newest = 0, before = newest] = serials;
  const [from, setFrom] = useState(before);
  const [to, setTo] = useState(newest);
  const [shown, setShown] = useState<'difference' | 'zone'>('difference');
  const query = useQuery({
    queryKey: [...keys.inDomain(projectId, domain.id), 'compare', shown, from, to],
    queryFn: async ({ signal }) => {
      if (shown === 'zone')
        return { zone: await readZoneAsOf(projectId, domain, from, signal), difference: undefined };
      const changes = await compareSerials(projectId, domain.id, { from, to }, signal);
      return { zone: undefined, difference: toDifference([...changes.values()]) };
    },
  });
  const { data: { zone, difference } = {}, error } = query;
  const fieldOf = (label: string, value: number, onChange: (serial: number) => void) => (
    <SelectField
      label={label}
      value={value}
      onChange={(event) => {
        onChange(Number(event.target.value));
      }}
    >
      {serials.map((serial) => (
        <option key={serial}>{serial}</option>
      ))}
    </SelectField>
  );
  const isSame =
    difference !== undefined &&
    difference.created.length + difference.updated.length + difference.deleted.length === 0;
  return (
    <Dialog title={t.compare} width="wide" onClose={onClose}>
      <div>
        <Segments
          label={t.compare}
          value={shown}
          options={[
            ['difference', t.difference],
            ['zone', t.zoneThen],
          ]}
          onChange={setShown}
        />
      </div>
      <div className={styles['serials']}>
        {fieldOf(shown === 'zone' ? t.atSerial : t.fromSerial, from, setFrom)}
        {shown === 'difference' && fieldOf(t.toSerial, to, setTo)}
      </div>
      {query.isPending && <Loading />}
      {error instanceof RangeError && <Banner tone="warn">{t.tooFar(MOST_CHANGES)}</Banner>}
      {error !== null && !(error instanceof RangeError) && <FailureBanner error={error} />}
      {isSame && <p>{t.same}</p>}
      {difference !== undefined && !isSame && <ChangeList title={t.difference} {...difference} />}
      {zone !== undefined && (
        <>
          <TextArea label={t.zoneThen} rows={14} readOnly value={zone} />
          <div>
            <CopyButton text={zone} />
          </div>
        </>
      )}
    </Dialog>
  );
}
