/**
 * The procedure documentation in the portal: its versions, one of them as a document, and the sections that an organisation adds.
 */
export { Procedures } from './procedures.tsx';
