import {
  type CommandTexts,
  curl,
  MOST_CHARACTERS,
  printed,
  zonewright,
  zonewrightApi,
} from '../../ui/shell.js';

interface ImportWish {
  readonly zonefile: string;
  readonly mode: 'merge' | 'replace';
  readonly on_error: 'skip';
  readonly confirm: true;
}

/** @param isWhole no line of it is wrong: `apply` refuses such a file, and here its person has said that they are left out */
export function importCommands(
  { id, name }: { readonly id: string; readonly name: string },
  wish: ImportWish,
  isWhole: boolean,
): CommandTexts | undefined {
  if (wish.zonefile.length > MOST_CHARACTERS) return undefined;
  const request = { method: 'POST', path: `/v1/domains/${id}/import`, body: wish } as const;
  const options = [
    '--domain',
    name.replace(/\.$/, ''),
    ...(wish.mode === 'merge' ? ['--merge'] : []),
  ];
  return {
    zonewright: isWhole
      ? `${printed(wish.zonefile)} | ${zonewright('apply', '-', ...options, '--yes')}`
      : zonewrightApi(request),
    curl: curl(request),
  };
}
