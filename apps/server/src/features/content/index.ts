/**
 * Content: reading one message or file of somebody.
 *
 * Whoever wants to read an item gives a reason and gets a ticket: 256 bits, kept as a hash, for their
 * session alone. It is used within a minute and holds five minutes from then on, so that attachments of
 * what is shown can be fetched. The audit log has the opening in the transaction that made the ticket.
 *
 * What is shown is text and facts; HTML never leaves as HTML. A message is parsed in a thread of its own
 * with limits of size and time. The exact bytes are a download, streamed from the vault.
 *
 * A message of a chat or channel opens with what was said around it, as far as the right to the message reaches.
 *
 * Browsing names and folders is the business of discovery, putting items back that of restore.
 */
export type { ContentCaller, ContentService, ReadMessage } from './content.service.ts';
export { createContentFeature } from './feature.ts';
export { conversationOf, readConversation, type ConversationFrame, type RequireAround } from './conversation.ts';
