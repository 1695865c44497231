/** Saves generated content as a file, without sending it to a server. */
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
