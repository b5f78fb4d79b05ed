import { sizeSteps, type SearchFacetName } from './search.ts';
import type { FieldName } from './fields.ts';
import type { Query } from './tree.ts';

function exactly(field: FieldName, text: string): Query {
  return { kind: 'text', field, match: 'exactly', text, openStart: false, openEnd: false };
}

/** From a month or year through another one. */
export function periodTerm(first: string, last: string): Query {
  const [low, high] = first <= last ? [first, last] : [last, first];
  return { kind: 'range', field: 'received', low, high, withLow: true, withHigh: true };
}

function sizeTerm(step: string): Query {
  const next = sizeSteps[sizeSteps.findIndex((one) => one === step) + 1];
  const below: Query = { kind: 'range', field: 'size', low: null, high: bytesOf(next ?? ''), withLow: true, withHigh: false };
  const above: Query = { kind: 'range', field: 'size', low: bytesOf(step), high: null, withLow: true, withHigh: false };
  if (step === '0') return below;
  return next === undefined ? above : { kind: 'and', of: [above, below] };
}

/** Sizes are numbers of bytes once a query has been read. */
function bytesOf(step: string): string {
  const [, number = '0', unit = ''] = /^(\d+)(KB|MB)?$/.exec(step) ?? [];
  return String(Number(number) * (unit === 'MB' ? 1024 * 1024 : unit === 'KB' ? 1024 : 1));
}

/** What narrows a query to a person, site or team, or to a folder of theirs. */
export function placeTerm(place: string, folder?: string): Query {
  const person = exactly('mailbox', place);
  return folder === undefined ? person : { kind: 'and', of: [person, exactly('folder', folder)] };
}

/** What narrows a query to one value of a facet. */
export function facetTerm(facet: SearchFacetName, value: string): Query {
  switch (facet) {
    case 'month':
      return periodTerm(value, value);
    case 'size':
      return sizeTerm(value);
    case 'workload':
    case 'kind':
    case 'sensitive':
    case 'language':
    case 'filetype':
      return { kind: 'value', field: facet, value };
  }
}
