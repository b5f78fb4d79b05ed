import { z } from 'zod';
import { pageSizeMax } from './limits.ts';

/** `?cursor&limit&sort&search` plus the filters of the list. `sort` is a column, with `-` for descending. */
export function listQuery<const Sort extends readonly [string, ...string[]], Filter extends z.ZodRawShape>(options: {
  readonly sort: Sort;
  readonly filter: Filter;
}) {
  const directions = options.sort.flatMap((column) => [column, `-${column}`]) as [string, ...string[]];
  return z.object({
    cursor: z.string().max(2_000).optional(),
    limit: z.coerce.number().int().min(1).max(pageSizeMax).default(50),
    sort: z.enum(directions as [Sort[number] | `-${Sort[number]}`, ...(Sort[number] | `-${Sort[number]}`)[]]).optional(),
    search: z.string().max(200).optional(),
    ...options.filter,
  });
}

/** One page of a list: its items, where the next begins, and how many there are in all. */
export function pageOf<Item extends z.ZodType>(item: Item) {
  return z.object({ items: z.array(item), nextCursor: z.string().nullable(), total: z.number().int() });
}

export interface Page<Item> {
  items: Item[];
  nextCursor: string | null;
  total: number;
}
