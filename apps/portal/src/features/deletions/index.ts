/**
 * Deletion of archived messages in the portal: drafting one from chosen messages, the preview, the second person, and what is left.
 *
 * The search and archived mailboxes offer the form; what may go is decided by the server.
 */
export { DeleteMessagesForm } from './delete-messages-form.tsx';
export { MessageDeletions } from './message-deletions.tsx';
