import { InputError } from '@zonewright/terminal';

/** The domain that a zone file is of, as its $ORIGIN or the owner of its SOA says it. @throws InputError when neither does */
export function domainOfFile(text: string): string {
  const origin = /^\$ORIGIN\s+(\S+)/im.exec(text)?.[1];
  const owner = /^([^\s;$@]\S*\.)\s+(?:\d\w*\s+|IN\s+){0,2}SOA\s/im.exec(text)?.[1];
  const domain = owner ?? origin;
  if (domain !== undefined) return domain;
  throw new InputError('the file does not name its domain. Use --domain.');
}
