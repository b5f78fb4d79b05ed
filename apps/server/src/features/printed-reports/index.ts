/**
 * Printed reports: what people ask for on paper now and then. The protection of everybody, and the report of one run: of a
 * restore, the evidence of a drill or verification, the certificate of a deletion.
 *
 * They have the layout of the reports of periods. Nothing is stored: whoever needs one keeps the file.
 */
export { createPrintedReportsFeature } from './feature.ts';
