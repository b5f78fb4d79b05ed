import { Badge, makeStyles, tokens } from '@fluentui/react-components';
import { LockClosedRegular } from '@fluentui/react-icons';
import { compliance } from '@holdfast/contract/compliance';
import type { QueryFor } from '@holdfast/contract/route';
import type { ManagedNode } from '@holdfast/contract/compliance-values';
import type { ReactElement } from 'react';
import { read } from '../../api/queries.ts';
import { useCodeText } from '../../i18n/use-code-text.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { DataTable } from '../../ui/data-table/data-table.tsx';
import type { Column, PageQuery } from '../../ui/data-table/types.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import type { MenuPoint } from '../../ui/menu-point.ts';
import { Moment, Size } from '../../ui/moment.tsx';
import { KindIcon } from '../content/index.ts';
import type { FolderAddress, SitePlace } from './folder-address.ts';
import { folderQuery } from './folder-query.ts';
import { NodeState } from './node-state.tsx';

const useStyles = makeStyles({
  icon: { verticalAlign: 'text-bottom', marginInlineEnd: tokens.spacingHorizontalXS },
  held: { verticalAlign: 'text-bottom', marginInlineStart: tokens.spacingHorizontalXS },
  // Longer than the column: the end is what tells two names apart.
  name: { overflowWrap: 'anywhere' },
});

function NodeName({ node }: { readonly node: ManagedNode }): ReactElement {
  const styles = useStyles();
  const text = useText();
  return (
    <span className={styles.name}>
      <KindIcon node={node} className={styles.icon} />
      {node.name}
      {node.isHeld && <LockClosedRegular role="img" className={styles.held} aria-label={text('status.onHold')} />}
    </span>
  );
}

function useColumns(): readonly Column<ManagedNode>[] {
  const text = useText();
  const format = useFormat();
  const codeText = useCodeText();
  const audience = (row: ManagedNode): string => (row.audience === null ? '' : text(`compliance.audiences.${row.audience}`));
  return [
    {
      id: 'name',
      title: text('common.name'),
      sort: 'name',
      width: 300,
      value: (row) => row.name,
      render: (row) => <NodeName node={row} />,
    },
    {
      id: 'state',
      title: text('compliance.state'),
      width: 140,
      value: (row) => text(`compliance.states.${row.state}`),
      render: (row) => <NodeState state={row.state} />,
    },
    {
      id: 'audience',
      title: text('compliance.audience'),
      width: 190,
      value: audience,
      render: (row) =>
        row.audience === null ? (
          '–'
        ) : (
          <Badge appearance="tint" color="warning">
            {audience(row)}
          </Badge>
        ),
    },
    {
      id: 'kind',
      title: text('compliance.kind'),
      sort: 'kind',
      isExtra: true,
      value: (row) => codeText(row.kind),
      render: (row) => codeText(row.kind),
    },
    { id: 'author', title: text('compliance.author'), width: 160, value: (row) => row.author ?? '', render: (row) => row.author ?? '–' },
    {
      id: 'modifiedAt',
      title: text('compliance.modified'),
      sort: 'modifiedAt',
      width: 150,
      value: (row) => format.iso(row.modifiedAt),
      render: (row) => <Moment at={row.modifiedAt} />,
    },
    {
      id: 'versions',
      title: text('compliance.versions'),
      isNumber: true,
      width: 110,
      value: (row) => (row.isContainer ? null : row.versions),
      render: (row) => (row.isContainer ? '–' : format.count(row.versions)),
    },
    {
      id: 'sizeBytes',
      title: text('compliance.size'),
      sort: 'sizeBytes',
      isNumber: true,
      width: 110,
      value: (row) => (row.isContainer ? null : row.sizeBytes),
      render: (row) => <Size bytes={row.isContainer ? null : row.sizeBytes} />,
    },
  ];
}

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
  const columns = useColumns();
  const { tenantId, sourceId } = place;
  const folder = folderQuery(sourceId, address);
  const page = ({ filters: _none, ...query }: PageQuery) =>
    read(compliance.nodes, { params: { tenantId }, query: { ...query, ...folder } as QueryFor<typeof compliance.nodes>, quiet: true });
  return (
    <DataTable
      id="managed-nodes"
      label={text('compliance.folder')}
      columns={columns}
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
