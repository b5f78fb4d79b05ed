import { compliance } from '@holdfast/contract/compliance';
import type { QueryFor } from '@holdfast/contract/route';
import type { ManagedNode } from '@holdfast/contract/compliance-values';
import type { ReactElement } from 'react';
import { read } from '../../api/queries.ts';
import { useText } from '../../i18n/use-text.ts';
import { DataTable } from '../../ui/data-table/data-table.tsx';
import type { PageQuery } from '../../ui/data-table/types.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import type { MenuPoint } from '../../ui/menu-point.ts';
import type { FolderAddress, SitePlace } from './folder-address.ts';
import { useFolderColumns, useFolderFilters } from './folder-columns.tsx';
import { folderQuery } from './folder-query.ts';

export interface FolderTableProps {
  readonly place: SitePlace;
  readonly address: FolderAddress;
  /** Opens a folder, or the details of a file. */
  readonly onOpen: (node: ManagedNode) => void;
  /** The right mouse button or the menu key was pressed on a row. */
  readonly onMenu: (node: ManagedNode, at: MenuPoint) => void;
  /** What can be done with chosen items, over several pages; absent where nothing can. */
  readonly commands: ((rows: readonly ManagedNode[]) => ReactElement) | undefined;
}

/** What a folder holds at a time. */
export function FolderTable({ place, address, onOpen, onMenu, commands }: FolderTableProps): ReactElement {
  const text = useText();
  const columns = useFolderColumns();
  const filters = useFolderFilters();
  const { tenantId, sourceId } = place;
  const folder = folderQuery(sourceId, address);
  const page = ({ filters: narrowed, ...query }: PageQuery) =>
    read(compliance.nodes, {
      params: { tenantId },
      query: { ...narrowed, ...query, ...folder } as QueryFor<typeof compliance.nodes>,
      quiet: true,
    });
  return (
    <DataTable
      id="managed-nodes"
      label={text('compliance.folder')}
      columns={columns}
      filters={filters}
      source={{ kind: 'pages', page }}
      rowKey={(row) => row.nodeId}
      rowName={(row) => row.name}
      onOpen={onOpen}
      onMenu={onMenu}
      {...(commands === undefined ? {} : { selectionCommands: commands })}
      empty={<EmptyState text={text('compliance.emptyFolder')} />}
    />
  );
}
