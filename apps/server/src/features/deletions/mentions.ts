import { parseQuery } from '@holdfast/contract/query/parse';
import type { Query } from '@holdfast/contract/query/tree';
import type { Person } from './person.views.ts';

const phraseOf = (text: string): string =>
  `"${text
    .replaceAll(/["“”„‟«»]/gu, ' ')
    .replaceAll(/\s+/gu, ' ')
    .trim()}"`;

/**
 * Finds where somebody is mentioned: as sender or recipient by their address, or by their name anywhere in a text. Undefined for
 * somebody who has neither.
 */
export function mentionsOf({ name, address }: Pick<Person, 'name' | 'address'>): Query | undefined {
  const wanted = [
    ...(address === '' ? [] : [`from:${phraseOf(address)}`, `recipients:${phraseOf(address)}`]),
    ...(name === '' || name === address ? [] : [phraseOf(name)]),
  ].filter((text) => parseQuery(text).query !== undefined);
  return wanted.length === 0 ? undefined : parseQuery(wanted.join(' OR ')).query;
}
