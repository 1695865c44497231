/** The address that an SOA's data names: the first label is the local part, its dots escaped (RFC 1035 s8). */
export function emailOfSoa(data: string): string | undefined {
  const rname = data.split(' ')[1] ?? '';
  const [, localPart, domain] = /^((?:\\.|[^.\\])+)\.(.+)\.$/.exec(rname) ?? [];
  if (localPart === undefined || domain === undefined) return undefined;
  return `${localPart.replaceAll(/\\(.)/g, '$1')}@${domain}`;
}
