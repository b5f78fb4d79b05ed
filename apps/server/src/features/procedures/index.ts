/**
 * The procedure documentation of a tenant: how data is protected, kept and deleted, described from what is set up.
 *
 * A version keeps what it says as entries (one for each location, job, hold, person and right), with what differs from the version
 * before and who changed it according to the audit log. It never changes; its hash is in the audit log. The page and the PDF file
 * are made from it in either language. A year after the newest version, owners and administrators are reminded.
 */
export { createProceduresFeature } from './feature.ts';
