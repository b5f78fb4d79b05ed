import { Text } from '@fluentui/react-components';
import type { CaseFile } from '@holdfast/contract/case-values';
import { cases } from '@holdfast/contract/cases';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useMay } from '../../api/portal-context.ts';
import { useChange } from '../../api/queries.ts';
import { useText } from '../../i18n/use-text.ts';
import { MoreCommands } from '../../ui/command-bar.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { useColumnKinds } from '../../ui/data-table/column-kinds.tsx';
import { DataTable } from '../../ui/data-table/data-table.tsx';
import type { Column } from '../../ui/data-table/types.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Stack } from '../../ui/layout.tsx';
import { RouterLink } from '../../ui/router-link.tsx';
import type { CaseProps } from './case-props.ts';

/** Where the file manager shows a file or folder of a case. */
function placeOf({ name, nodeId, isContainer, place }: CaseFile): string | null {
  if (place === null) return null;
  const query = new URLSearchParams({
    location: place.locationId,
    source: place.sourceId,
    deleted: 'true',
    ...(isContainer ? { node: nodeId } : { search: name }),
  });
  return `/compliance?${query.toString()}`;
}

/** The files and folders of a case. */
export function CaseFiles({ tenantId, of }: CaseProps): ReactElement {
  const text = useText();
  const mayRemove = useMay('cases.work') && of.status === 'open';
  const [leaving, setLeaving] = useState<CaseFile | null>(null);
  const remove = useChange(cases.removeFile, { success: 'successes.caseSaved' });
  const columns = useColumns(mayRemove ? setLeaving : undefined);
  return (
    <Stack>
      <Text>{text('cases.filesLead')}</Text>
      <DataTable
        id="case-files"
        prefix="files"
        label={text('cases.tabs.files')}
        columns={columns}
        source={{ kind: 'list', rows: of.files }}
        rowKey={(row) => row.fileId}
        rowName={(row) => row.name}
        empty={<EmptyState text={text('cases.noFiles')} />}
      />
      {leaving !== null && (
        <ConfirmDialog
          title={text('cases.removeFile', { name: leaving.name })}
          text={text('cases.removeFileText')}
          button={text('common.remove')}
          destructive
          busy={remove.isPending}
          onConfirm={() =>
            remove.mutate({ params: { tenantId, caseId: of.caseId, fileId: leaving.fileId } }, { onSettled: () => setLeaving(null) })
          }
          onClose={() => setLeaving(null)}
        />
      )}
    </Stack>
  );
}

function useColumns(onRemove: ((file: CaseFile) => void) | undefined): readonly Column<CaseFile>[] {
  const text = useText();
  const { words, moment, actions } = useColumnKinds<CaseFile>();
  const columns: readonly Column<CaseFile>[] = [
    {
      id: 'name',
      title: text('common.name'),
      sort: 'name',
      width: 280,
      value: (row) => row.name,
      render: (row) => {
        const to = placeOf(row);
        return to === null ? `${row.name} (${text('cases.notKept')})` : <RouterLink to={to}>{row.name}</RouterLink>;
      },
    },
    words({ id: 'site', title: text('compliance.site'), sort: 'site', width: 200 }, (row) => row.siteName),
    words({ id: 'note', title: text('cases.note'), width: 260 }, (row) => row.note),
    words({ id: 'adder', title: text('cases.adder'), width: 220 }, (row) => row.adder),
    moment({ id: 'addedAt', title: text('cases.addedAt'), sort: 'addedAt', width: 150 }, (row) => row.addedAt),
  ];
  if (onRemove === undefined) return columns;
  const render = (row: CaseFile): ReactElement => (
    <MoreCommands
      label={`${text('common.actions')}: ${row.name}`}
      commands={[{ id: 'remove', label: text('cases.removeFile', { name: row.name }), run: () => onRemove(row) }]}
    />
  );
  return [...columns, actions(render, 90)];
}
