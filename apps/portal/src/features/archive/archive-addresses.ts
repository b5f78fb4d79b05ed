/** A search in one mailbox, as the search page reads it from its address. */
export function searchAddress(email: string): string {
  return `/search?${new URLSearchParams({ query: `mailbox="${email.replaceAll('"', '')}"` }).toString()}`;
}
