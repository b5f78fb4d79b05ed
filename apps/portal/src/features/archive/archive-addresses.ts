import { searchReason } from '@holdfast/contract/search';
import { z } from 'zod';

/** The page that lists the messages of an archived mailbox. */
export function messagesAddress(mailboxId: string): string {
  return `/archive/mailboxes/${mailboxId}/messages`;
}

const wantedMessage = z.object({
  /** Empty where the page that leads here has asked for none: it is asked for then. */
  reason: searchReason.or(z.literal('')),
  message: z.object({ messageId: z.string(), locationId: z.string(), sourceId: z.string(), sequence: z.number(), subject: z.string() }),
});

/** The message that another page leads to, and the reason given there. It travels in the state of the history: an address is shared and logged. */
export type WantedMessage = z.infer<typeof wantedMessage>;

/** The message that the state of the history asks for, if it does. */
export function wantedMessageOf(state: unknown): WantedMessage | null {
  return wantedMessage.safeParse(state).data ?? null;
}
