/**
 * Content: reading one message or file of somebody.
 *
 * Whoever wants to read an item gives a reason, gets a ticket for a minute and for themselves alone, and
 * the audit log has it in the same transaction. The preview is made readable on the server: a message is
 * parsed in a thread of its own and its HTML never leaves as HTML; the exact bytes are a download.
 *
 * Browsing names and folders is the business of discovery, putting items back that of restore.
 */
export { createContentRoutes } from './content.routes.ts';
export { createContentService, type ContentCaller, type ContentService } from './content.service.ts';
export { createContentTicketsStore } from './content-tickets.store.ts';
