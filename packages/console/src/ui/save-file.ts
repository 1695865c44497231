/** Something made here becomes a file, without going anywhere else. */
export function saveFile(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  download(url, name);
  URL.revokeObjectURL(url);
}

/** Downloads a URL as a link does. */
export function download(url: string, name: string): void {
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
}

/** A label may have a slash in it (RFC 2317), which is no folder; two names never become one. */
export function zoneFileName(name: string): string {
  return `${encodeURIComponent(name.replace(/\.$/, ''))}.zone`;
}
