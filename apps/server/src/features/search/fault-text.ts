import type { QueryFault } from '@holdfast/contract/query/faults';
import { fill, phrasesOf, type Language } from '../../http/language.ts';
import { ValidationError } from '../../http/problem.ts';

/** The sentence for a fault of a query. */
export function faultText(fault: QueryFault, language: Language): string {
  const phrases = phrasesOf(language).search;
  const known = fault.known?.join(', ') ?? '';
  const guess = fault.suggestion && fault.code === 'unknown-field' ? fill(phrases.didYouMean, { suggestion: fault.suggestion }) : '';
  return fill(phrases.faults[fault.code], { text: fault.text, suggestion: fault.suggestion ?? '', known, guess }).replaceAll(/ {2,}/g, ' ');
}

/** A query with faults is refused with all of them at once. */
export function invalidQuery(faults: readonly QueryFault[], language: Language): ValidationError {
  return new ValidationError('search.invalid', { query: faults.map((fault) => faultText(fault, language)) });
}
