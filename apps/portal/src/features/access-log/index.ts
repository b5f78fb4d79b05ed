/**
 * The access log in the portal: who saw what of whom, as sentences. Other pages that show a part of it use the same sentences.
 */
export { useSentence } from './use-sentence.ts';
