import { INDEX_FOLDER, type IndexedItem, type ItemRange } from './export-rows.ts';
import { pagesOf } from './pages.ts';

/** What one file of the index is made of at most: it is put together in memory. */
const MOST_ITEMS = 2_000;
const MOST_BYTES = 32 * 1024 * 1024;

export const indexPath = (number: number): string => `${INDEX_FOLDER}/${String(number).padStart(4, '0')}.sqlite`;

/** Cuts the items of an export into as many ranges as its index has files. It depends on the list alone. */
export async function indexRanges(read: (after: number) => Promise<readonly IndexedItem[]>): Promise<readonly ItemRange[]> {
  const ranges: ItemRange[] = [];
  let open: { first: number; last: number; items: number; bytes: number } | undefined;
  for await (const page of pagesOf(read, (item) => item.item_no)) {
    for (const { item_no: itemNo, size_bytes: size } of page) {
      if (open && (open.items >= MOST_ITEMS || open.bytes + size > MOST_BYTES)) {
        ranges.push({ first: open.first, last: open.last });
        open = undefined;
      }
      open ??= { first: itemNo, last: itemNo, items: 0, bytes: 0 };
      open = { ...open, last: itemNo, items: open.items + 1, bytes: open.bytes + size };
    }
  }
  if (open) ranges.push({ first: open.first, last: open.last });
  return ranges;
}
