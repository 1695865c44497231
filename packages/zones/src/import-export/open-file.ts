const BYTE_ORDER_MARK = '\ufeff';

/** Returns the text without its byte order mark, with LF at the end of each line. Files of old Macs use only CR. */
export function openText(text: string): string {
  const body = text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
  return body.includes('\r') ? body.replaceAll('\r\n', '\n').replaceAll('\r', '\n') : body;
}
