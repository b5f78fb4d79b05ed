import type { ModifiedRange } from './teams-api.ts';

/** The filter over the last change that message lists take; nothing without bounds. */
export function modifiedBetween(range: ModifiedRange = {}): Readonly<Record<string, string>> {
  const bounds = [
    ...(range.after === undefined ? [] : [`lastModifiedDateTime gt ${range.after}`]),
    ...(range.before === undefined ? [] : [`lastModifiedDateTime lt ${range.before}`]),
  ];
  return bounds.length === 0 ? {} : { $filter: bounds.join(' and ') };
}
