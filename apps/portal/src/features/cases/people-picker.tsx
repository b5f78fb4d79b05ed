import { Button } from '@fluentui/react-components';
import { cases } from '@holdfast/contract/cases';
import type { CasePerson } from '@holdfast/contract/case-values';
import type { ReactElement } from 'react';
import { read, useChange } from '../../api/queries.ts';
import { useText } from '../../i18n/use-text.ts';
import { useColumnKinds } from '../../ui/data-table/column-kinds.tsx';
import { DataTable } from '../../ui/data-table/data-table.tsx';
import type { Column, PageQuery } from '../../ui/data-table/types.ts';
import { DetailDrawer } from '../../ui/detail-drawer.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import type { CaseProps } from './case-props.ts';

/** Chooses people who have something in the backups, and adds them as custodians. */
export function PeoplePicker({ tenantId, of, onClose }: CaseProps & { readonly onClose: () => void }): ReactElement {
  const text = useText();
  const add = useChange(cases.addCustodians, { success: 'successes.caseSaved' });
  const columns = useColumns();
  const params = { tenantId, caseId: of.caseId };
  const page = ({ filters: _none, sort: _order, ...query }: PageQuery) => read(cases.people, { params, query, quiet: true });
  const addButton = (rows: readonly CasePerson[]): ReactElement => (
    <Button
      appearance="primary"
      disabledFocusable={add.isPending}
      onClick={() => add.mutate({ params, body: { keys: rows.map(({ key }) => key) } }, { onSuccess: onClose })}
    >
      {text('cases.addChosen', { count: rows.length })}
    </Button>
  );
  return (
    <DetailDrawer title={text('cases.addCustodians')} isWide onClose={onClose}>
      <DataTable
        id="case-people"
        prefix="people"
        label={text('cases.people')}
        columns={columns}
        source={{ kind: 'pages', page }}
        rowKey={(row) => row.key}
        rowName={(row) => row.name}
        empty={<EmptyState text={text('cases.nobody')} />}
        selectionCommands={addButton}
      />
    </DetailDrawer>
  );
}

function useColumns(): readonly Column<CasePerson>[] {
  const text = useText();
  const { words, count } = useColumnKinds<CasePerson>();
  return [
    words({ id: 'name', title: text('common.name'), width: 200 }, (row) => row.name),
    words({ id: 'address', title: text('common.email'), width: 240 }, (row) => row.address),
    ...(['mailboxes', 'archives', 'drives', 'chats'] as const).map((id) =>
      count({ id, title: text(`cases.${id}`), width: 110 }, (row) => row[id]),
    ),
  ];
}
