/** A search in one mailbox, as the search page reads it from its address. */
export function searchAddress(email: string): string {
  return `/search?${new URLSearchParams({ query: `mailbox="${email.replaceAll('"', '')}"` }).toString()}`;
}

/** The page that lists the messages of an archived mailbox. */
export function messagesAddress(mailboxId: string): string {
  return `/archive/mailboxes/${mailboxId}/messages`;
}
