import { useQuery } from '@tanstack/react-query';
import type { AccessKey } from '@zonewright/client';
import { projectQuery } from '../../api/queries.js';
import { useMessages } from '../../messages/language.js';
import { Loading } from '../../ui/query-view.js';
import { Secret, SecretsDialog } from '../../ui/secrets-dialog.js';
import { Snippet } from '../../ui/snippet.js';
import { MESSAGES } from './messages.js';
import { toSnippets } from './snippets.js';

interface SecretDialogProps {
  readonly accessKey: AccessKey;
  readonly projectId: string;
  readonly onClose: () => void;
}

/** Shows a new key with its secret, which cannot be shown again. */
export function SecretDialog({ accessKey, projectId, onClose }: SecretDialogProps) {
  const t = useMessages(MESSAGES);
  const { data: project, isPending } = useQuery(projectQuery(projectId));
  const { accessKeyId, secretKey = '' } = accessKey;
  const snippets = toSnippets(accessKey, projectId, project?.urls.identity);
  return (
    <SecretsDialog
      title={t.made}
      warning={t.once}
      facts={[
        [t.id, <code key="id">{accessKeyId}</code>],
        [t.secret, <Secret key="secret" text={secretKey} />],
      ]}
      onClose={onClose}
    >
      {isPending ? (
        <Loading />
      ) : (
        snippets.map(({ kind, text, file }) => (
          <Snippet
            key={kind}
            title={t.snippets[kind]}
            label={t.snippets[kind]}
            copyLabel={t.copySnippet[kind]}
            {...{ text, file }}
          />
        ))
      )}
    </SecretsDialog>
  );
}
