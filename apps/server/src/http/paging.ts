import type { Page } from '@holdfast/contract/paging';
import { AppError } from '@holdfast/foundation/errors';

/** Where a page begins and how long it is. */
export interface PageWindow {
  readonly offset: number;
  readonly limit: number;
}

/** The window of a list request. A cursor that we did not make is `request.invalid`. */
export function windowOf(query: { readonly cursor?: string | undefined; readonly limit: number }): PageWindow {
  if (query.cursor === undefined) return { offset: 0, limit: query.limit };
  const said = Buffer.from(query.cursor, 'base64url').toString();
  const offset = Number(said);
  if (!/^\d+$/.test(said) || offset > 10_000_000) throw new AppError('request.invalid', { details: { field: 'cursor' } });
  return { offset, limit: query.limit };
}

/** A page with the cursor of the next one. */
export function pageFrom<Item>(items: Item[], total: number, window: PageWindow): Page<Item> {
  const next = window.offset + items.length;
  return { items, total, nextCursor: items.length > 0 && next < total ? Buffer.from(String(next)).toString('base64url') : null };
}

/** Splits `-name` into column and direction. */
export function sortOf<Column extends string>(
  sort: string | undefined,
  fallback: { readonly column: Column; readonly isDescending: boolean },
): { column: Column; isDescending: boolean } {
  if (sort === undefined) return fallback;
  return sort.startsWith('-') ? { column: sort.slice(1) as Column, isDescending: true } : { column: sort as Column, isDescending: false };
}

/** A search text as a pattern for `like`: what it says literally, anywhere. */
export function likePattern(search: string): string {
  return `%${search.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
}
