import { pageSizes } from '@holdfast/contract/limits';
import { z } from 'zod';
import { createKept } from '../../api/storage.ts';
import type { Column } from './types.ts';
import { defaultPageSize } from './table-state.ts';

const layoutSchema = z.object({
  order: z.array(z.string()),
  hidden: z.array(z.string()),
  widths: z.record(z.string(), z.number().min(40).max(2_000)),
  pageSize: z.union(pageSizes.map((size) => z.literal(size))),
});
export type ColumnLayout = z.infer<typeof layoutSchema>;

/** The layout of a table that nobody has touched. */
export function defaultLayout<Row>(columns: readonly Column<Row>[]): ColumnLayout {
  return {
    order: columns.map((column) => column.id),
    hidden: columns.filter((column) => column.isExtra === true).map((column) => column.id),
    widths: {},
    pageSize: defaultPageSize,
  };
}

/** Kept per table in local storage. */
export function keptLayout(storage: Storage, tableId: string) {
  return createKept(storage, `holdfast.table.${tableId}`, layoutSchema);
}

/** The columns to show, in the reader's order; new ones come at the end, and the first (the name) always stays. */
export function shownColumns<Row>(columns: readonly Column<Row>[], layout: ColumnLayout): readonly Column<Row>[] {
  const [first, ...rest] = columns;
  if (first === undefined) return [];
  const place = (id: string): number => {
    const at = layout.order.indexOf(id);
    return at === -1 ? layout.order.length + columns.findIndex((column) => column.id === id) : at;
  };
  const shown = rest.filter((column) => !layout.hidden.includes(column.id)).toSorted((left, right) => place(left.id) - place(right.id));
  return [first, ...shown];
}

/** The order with one column moved a place up or down; the name column stays first. */
export function moved(order: readonly string[], id: string, step: -1 | 1): string[] {
  const at = order.indexOf(id);
  const to = at + step;
  if (at < 1 || to < 1 || to >= order.length) return [...order];
  return order.toSpliced(at, 1).toSpliced(to, 0, id);
}
