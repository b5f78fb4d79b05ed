import { splitOutside } from '../http/query.ts';

/** The navigation properties a request expands, each with those it expands below. */
export type Expanded = ReadonlyMap<string, Expanded>;

export const NOTHING_EXPANDED: Expanded = new Map();

/** Reads `$expand`: `replies($expand=hostedContents),members` becomes a tree. */
export function readExpand(text: string | null | undefined): Expanded {
  if (!text) return NOTHING_EXPANDED;
  const expanded = new Map<string, Expanded>();
  for (const part of splitOutside(text, ',')) {
    const match = /^([^(]+)(?:\((.*)\))?$/s.exec(part);
    const name = match?.[1]?.trim() ?? part;
    const inner = splitOutside(match?.[2] ?? '', ';').find((option) => /^\$?expand=/i.test(option));
    expanded.set(name, readExpand(inner?.slice(inner.indexOf('=') + 1)));
  }
  return expanded;
}
