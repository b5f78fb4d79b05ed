/**
 * What auditors may read: granted and ended where proxy rights are, read on a page of the auditor's own.
 */
export { AuditorList } from './auditor-list.tsx';
