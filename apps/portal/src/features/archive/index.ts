/** The mail archive in the portal: its pages, and the address of what they show. */
export { messagesAddress, type WantedMessage } from './archive-addresses.ts';
