/** Lets the browser fetch a file and write it to the disk while it comes. The name that the server gives it counts more. */
export function followDownload(address: string, name = ''): void {
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
}

/** Hands a file that was made in the browser to the reader under a name. */
export function saveFile(blob: Blob, name: string): void {
  const address = URL.createObjectURL(blob);
  followDownload(address, name);
  URL.revokeObjectURL(address);
}
