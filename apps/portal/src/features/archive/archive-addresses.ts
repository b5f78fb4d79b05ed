/** The page that lists the messages of an archived mailbox. */
export function messagesAddress(mailboxId: string): string {
  return `/archive/mailboxes/${mailboxId}/messages`;
}
