import { Badge, Subtitle2, Text } from '@fluentui/react-components';
import { AlertRegular, BoxArrowUpRegular, DeleteRegular, EditRegular, LockClosedRegular } from '@fluentui/react-icons';
import type { SavedSearch } from '@holdfast/contract/saved-searches';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useMay } from '../../api/portal-context.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { MoreCommands } from '../../ui/command-bar.tsx';
import { useColumnKinds } from '../../ui/data-table/column-kinds.tsx';
import { DataTable } from '../../ui/data-table/data-table.tsx';
import type { Column } from '../../ui/data-table/types.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Row, Stack } from '../../ui/layout.tsx';
import { ExportForm } from '../exports/index.ts';
import { HoldForm } from '../holds/index.ts';
import { DeleteSearch } from './delete-search.tsx';
import { SaveSearchForm } from './save-search-form.tsx';
import { useSavedSearches } from './search.queries.ts';

interface SavedSearchesProps {
  readonly tenantId: string;
  /** Puts one into the box. */
  readonly onPick: (search: SavedSearch) => void;
}

/** The searches that are kept under a name: a click puts one into the box. */
export function SavedSearches({ tenantId, onPick }: SavedSearchesProps): ReactElement {
  const text = useText();
  const list = useSavedSearches(tenantId);
  const [open, setOpen] = useState<{ readonly search: SavedSearch; readonly verb: 'edit' | 'delete' | 'export' | 'hold' } | null>(null);
  const close = (): void => setOpen(null);
  const mayHold = useMay('deletion.manage');
  const columns = useColumns({
    onEdit: (search) => setOpen({ search, verb: 'edit' }),
    onDelete: (search) => setOpen({ search, verb: 'delete' }),
    onExport: (search) => setOpen({ search, verb: 'export' }),
    onHold: mayHold ? (search) => setOpen({ search, verb: 'hold' }) : undefined,
  });
  return (
    <Stack>
      <Subtitle2 as="h2">{text('search.saved.title')}</Subtitle2>
      <DataTable
        id="saved-searches"
        label={text('search.saved.title')}
        columns={columns}
        source={{ kind: 'list', rows: list.data?.items, error: list.error, retry: () => void list.refetch() }}
        rowKey={(one) => one.searchId}
        rowName={(one) => one.name}
        onOpen={onPick}
        empty={<EmptyState text={text('search.saved.empty')} />}
      />
      {open?.verb === 'edit' && <SaveSearchForm tenantId={tenantId} saved={open.search} query={open.search.query} onClose={close} />}
      {open?.verb === 'export' && (
        <ExportForm
          tenantId={tenantId}
          source={{ kind: 'savedSearch', searchId: open.search.searchId }}
          what={open.search.name}
          reason=""
          onClose={close}
        />
      )}
      {open?.verb === 'hold' && <HoldForm tenantId={tenantId} resource={null} search={open.search} onClose={close} />}
      {open?.verb === 'delete' && <DeleteSearch tenantId={tenantId} saved={open.search} onClose={close} />}
    </Stack>
  );
}

interface Commands {
  readonly onEdit: (search: SavedSearch) => void;
  readonly onDelete: (search: SavedSearch) => void;
  readonly onExport: (search: SavedSearch) => void;
  /** Absent where the reader places no holds. */
  readonly onHold: ((search: SavedSearch) => void) | undefined;
}

function useColumns({ onEdit, onDelete, onExport, onHold }: Commands): readonly Column<SavedSearch>[] {
  const text = useText();
  const format = useFormat();
  const { words, actions } = useColumnKinds<SavedSearch>();
  const commandsOf = (one: SavedSearch): ReactElement => (
    <MoreCommands
      label={text('search.saved.commands', { name: one.name })}
      commands={[
        { id: 'edit', label: text('search.saved.edit'), icon: <EditRegular />, run: () => onEdit(one) },
        { id: 'export', label: text('exports.exportQuery'), icon: <BoxArrowUpRegular />, run: () => onExport(one) },
        ...(onHold ? [{ id: 'hold', label: text('search.saved.hold'), icon: <LockClosedRegular />, run: () => onHold(one) }] : []),
        { id: 'delete', label: text('search.saved.delete'), icon: <DeleteRegular />, run: () => onDelete(one) },
      ]}
    />
  );
  return [
    words({ id: 'name', title: text('common.name') }, (one) => one.name),
    {
      id: 'new',
      title: text('search.saved.new'),
      value: (one) => one.newHits,
      render: (one) => (one.newHits > 0 ? <Badge color="important">{text('search.saved.newHits', { count: one.newHits })}</Badge> : '–'),
    },
    words({ id: 'query', title: text('search.saved.query') }, (one) => one.query),
    {
      id: 'alert',
      title: text('search.saved.alert'),
      value: (one) => text(one.hasAlert ? 'search.saved.on' : 'search.saved.off'),
      render: (one) => (
        <Row>
          {one.hasAlert && <AlertRegular aria-hidden />}
          <Text>{text(one.hasAlert ? 'search.saved.on' : 'search.saved.off')}</Text>
        </Row>
      ),
    },
    { id: 'checked', title: text('search.saved.checked'), value: (one) => one.checkedAt, render: (one) => format.dateTime(one.checkedAt) },
    words({ id: 'owner', title: text('search.saved.owner') }, (one) => one.owner),
    actions(commandsOf, 105),
  ];
}
