import { type Command, Option } from 'commander';
import {
  type EndpointChange,
  RELEASE_STATES,
  type ReleaseState,
  TENANT_PLACEHOLDER,
} from '@zonewright/accounts';

/** What `endpoint create` and `endpoint set` both take. */
export interface EndpointOptions {
  readonly publicUrl2?: string;
  readonly internalUrl?: string;
  readonly adminUrl?: string;
  readonly versionId?: string;
  readonly versionInfo?: string;
  readonly versionList?: string;
  readonly releaseState?: ReleaseState;
}

/** How the URL options are explained. */
export const PUBLIC_URL_HELP = `for clients; ${TENANT_PLACEHOLDER} stands for the tenant of the token`;

export function addEndpointOptions(command: Command): Command {
  return command
    .option('--public-url2 <url>', 'a second one for clients; "" shows it as empty')
    .option('--internal-url <url>', 'for programs inside the installation')
    .option('--admin-url <url>', 'for administrators')
    .option('--version-id <id>', 'the version of the API behind it, such as 2.0')
    .option('--version-info <url>', 'where that version describes itself')
    .option('--version-list <url>', 'where all versions are listed')
    .addOption(
      new Option('--release-state <state>', 'shown to clients').choices([...RELEASE_STATES]),
    );
}

/** An empty text takes a value away, except for publicURL2, which is shown empty (DNS API s1). */
export function toEndpointChange(options: EndpointOptions): EndpointChange {
  return {
    publicUrl2: options.publicUrl2,
    internalUrl: emptyToNull(options.internalUrl),
    adminUrl: emptyToNull(options.adminUrl),
    versionId: emptyToNull(options.versionId),
    versionInfo: emptyToNull(options.versionInfo),
    versionList: emptyToNull(options.versionList),
    releaseState: options.releaseState,
  };
}

function emptyToNull(text: string | undefined): string | null | undefined {
  return text === '' ? null : text;
}
