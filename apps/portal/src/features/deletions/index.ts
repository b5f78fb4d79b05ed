/**
 * Deletion of messages and files in the portal: drafting one from chosen items or for a person, the preview, the second person, and what is left.
 *
 * The search, archived mailboxes and the pages of people offer the forms; what may go is decided by the server.
 */
export { DeleteMessagesForm } from './delete-messages-form.tsx';
export { ErasePersonForm } from './erase-person-form.tsx';
export { MessageDeletions } from './message-deletions.tsx';
export { deletionAddress } from './deletion-address.ts';
