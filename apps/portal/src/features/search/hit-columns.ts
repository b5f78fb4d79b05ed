import type { SelectedItem } from '@holdfast/contract/selections';
import { useFormat, useText } from '../../i18n/use-text.ts';
import type { Column } from '../../ui/data-table/types.ts';

/** The columns of an exported list of hits. */
export function useHitColumns(): readonly Column<SelectedItem>[] {
  const text = useText();
  const format = useFormat();
  const column = (id: string, title: string, value: (row: SelectedItem) => string | number): Column<SelectedItem> => ({
    id,
    title,
    value,
    render: (row) => String(value(row)),
  });
  return [
    column('title', text('common.name'), (row) => row.title.trim() || text('search.untitled')),
    column('kind', text('search.facets.kind'), (row) => text(`search.kinds.${row.kind}`)),
    column('sender', text('restore.from'), (row) => row.sender),
    column('at', text('restore.date'), (row) => format.dateTime(row.at)),
    column('owner', text('search.facets.person'), (row) => row.resource.name || row.resource.address),
    column('address', text('search.selection.address'), (row) => row.resource.address),
    column('size', text('search.columns.size'), (row) => row.sizeBytes),
    column('attachments', text('search.selection.attachments'), (row) => row.attachments),
  ];
}
