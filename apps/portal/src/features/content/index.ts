/**
 * Content as people see it: one item, made readable, with what can be downloaded of it.
 *
 * Reading asks for a ticket each time, with the reason that the audit log keeps; the server checks the right. Restore
 * and search show items with these parts. Where an item is found is the business of the pages.
 */
export { PreviewContent, type WantedPart } from './preview-content.tsx';
export { useTicket, type ItemPlace } from './use-ticket.ts';
