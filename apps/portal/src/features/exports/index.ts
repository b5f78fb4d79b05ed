/**
 * Exports in the portal: asking for one, following it, and downloading its parts.
 *
 * The search and the cases offer the form; what may be exported is decided by the server.
 */
export { ExportForm } from './export-form.tsx';
export { ExportList } from './export-list.tsx';
