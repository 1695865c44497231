import { useQuery } from '@tanstack/react-query';
import type { AccessKey } from '@zonewright/client';
import { projectQuery } from '../../api/queries.js';
import { useMessages } from '../../state/language.js';
import { Snippet } from '../../ui/commands.js';
import { Loading } from '../../ui/query-view.js';
import { Secret, SecretsDialog } from '../../ui/secrets-dialog.js';
import { MESSAGES } from './messages.js';

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

interface KeySnippet {
  readonly kind: 'file' | 'zonewright' | 'curl' | 'use';
  readonly text: string;
  /** Suggested name of the file. */
  readonly file?: string;
}

/** Returns the key file, test commands and an example. The commands are for a POSIX shell in the folder of the file. */
function toSnippets(
  { accessKeyId, secretKey = '', otherAttributes }: AccessKey,
  projectId: string,
  identityUrl: string | undefined,
): readonly KeySnippet[] {
  const file = `${accessKeyId}.env`;
  const facts = [
    `ZONEWRIGHT_IDENTITY_URL=${identityUrl ?? ''}`,
    `ZONEWRIGHT_TENANT_ID=${projectId}`,
    `ZONEWRIGHT_ACCESS_KEY=${accessKeyId}`,
    `ZONEWRIGHT_SECRET_KEY=${secretKey}`,
  ];
  const use = firstUse(otherAttributes, file);
  return [
    { kind: 'file', text: facts.join('\n'), file },
    { kind: 'zonewright', text: `zonewright whoami --env-file ${file}` },
    { kind: 'curl', text: curlFor(file) },
    ...(use === undefined ? [] : [{ kind: 'use', text: use } as const]),
  ];
}

/** Returns a curl command. The secret is not an argument, which every user of the machine could read. */
function curlFor(file: string): string {
  const body =
    '{"auth":{"apiAccessKeyCredentials":{"accessKey":"%s","secretKey":"%s"},"tenantId":"%s"}}';
  return [
    `. ./${file}`,
    `printf '${body}' \\`,
    `  "$ZONEWRIGHT_ACCESS_KEY" "$ZONEWRIGHT_SECRET_KEY" "$ZONEWRIGHT_TENANT_ID" |`,
    `  curl --fail-with-body --silent --show-error --header 'Content-Type: application/json' \\`,
    `    --data @- "$ZONEWRIGHT_IDENTITY_URL/v2.0/tokens"`,
  ].join('\n');
}

type Restrictions = NonNullable<AccessKey['otherAttributes']['restrictions']>;

type Rule = NonNullable<Restrictions['rules']>[number];

/** Returns an example command for a key with a single purpose. Undefined for other keys. */
function firstUse(
  { restrictions }: AccessKey['otherAttributes'],
  file: string,
): string | undefined {
  const [rule, ...others] = restrictions?.rules ?? [];
  if (rule === undefined || others.length > 0 || rule.zone === '*') return undefined;
  if (!rule.actions.includes('update')) return undefined;
  return useForChallenges(rule, file) ?? useForAddress(rule, file);
}

function useForChallenges({ name, zone, types }: Rule, file: string): string | undefined {
  if (!name.startsWith('_acme-challenge') || types.join() !== 'TXT') return undefined;
  const what = `_acme-challenge.${zone.replace(/\.$/, '')} test-value --env-file ${file}`;
  return `zonewright acme present ${what}\nzonewright acme cleanup ${what}`;
}

function useForAddress({ name, zone, types }: Rule, file: string): string | undefined {
  const isAddress = types.length > 0 && types.every((type) => type === 'A' || type === 'AAAA');
  // A pattern matches many names, so it cannot be in the example.
  if (!isAddress || !/^(@|[\w.-]+)$/.test(name)) return undefined;
  const domain = zone.replace(/\.$/, '');
  const whole = name === '@' ? domain : `${name}.${domain}`;
  return `zonewright dyndns ${whole} --from eth0 --watch --env-file ${file}`;
}
