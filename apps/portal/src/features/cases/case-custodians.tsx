import { Text } from '@fluentui/react-components';
import type { CaseCustodian, CaseResource } from '@holdfast/contract/case-values';
import { cases } from '@holdfast/contract/cases';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useMay } from '../../api/portal-context.ts';
import { useChange } from '../../api/queries.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { CommandBar, MoreCommands } from '../../ui/command-bar.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { useColumnKinds } from '../../ui/data-table/column-kinds.tsx';
import { DataTable } from '../../ui/data-table/data-table.tsx';
import type { Column } from '../../ui/data-table/types.ts';
import { FirstStep } from '../../ui/empty-state.tsx';
import { Stack } from '../../ui/layout.tsx';
import type { CaseProps } from './case-props.ts';
import { PeoplePicker } from './people-picker.tsx';

/** A resource of a custodian; a custodian without any has one row of its own. */
interface Row {
  readonly custodian: CaseCustodian;
  readonly resource: CaseResource | null;
}

/** The custodians of a case with everything of theirs that is kept. */
export function CaseCustodians({ tenantId, of }: CaseProps): ReactElement {
  const text = useText();
  const mayManage = useMay('cases.manage') && of.status === 'open';
  const [isAdding, setAdding] = useState(false);
  const [leaving, setLeaving] = useState<CaseCustodian | null>(null);
  const remove = useChange(cases.removeCustodian, { success: 'successes.caseSaved' });
  const columns = useColumns(mayManage ? setLeaving : undefined);
  const rows = of.custodians.flatMap((custodian): readonly Row[] =>
    custodian.resources.length === 0 ? [{ custodian, resource: null }] : custodian.resources.map((resource) => ({ custodian, resource })),
  );
  const add = (): void => setAdding(true);
  return (
    <Stack>
      <Text>{text('cases.custodiansLead')}</Text>
      <CommandBar commands={mayManage ? [{ id: 'add', label: text('cases.addCustodians'), run: add, isPrimary: true }] : []} />
      <DataTable
        id="case-custodians"
        prefix="custodians"
        label={text('cases.tabs.custodians')}
        columns={columns}
        source={{ kind: 'list', rows }}
        rowKey={({ custodian, resource }) => `${custodian.custodianId} ${resource?.resourceId ?? ''}`}
        rowName={({ custodian }) => custodian.name}
        empty={<FirstStep text={text('cases.noCustodians')} label={text('cases.addCustodians')} may={mayManage} onClick={add} />}
      />
      {isAdding && <PeoplePicker tenantId={tenantId} of={of} onClose={() => setAdding(false)} />}
      {leaving !== null && (
        <ConfirmDialog
          title={text('cases.removeCustodian', { name: leaving.name })}
          text={text('cases.removeCustodianText')}
          button={text('common.remove')}
          destructive
          busy={remove.isPending}
          onConfirm={() =>
            remove.mutate(
              { params: { tenantId, caseId: of.caseId, custodianId: leaving.custodianId } },
              { onSettled: () => setLeaving(null) },
            )
          }
          onClose={() => setLeaving(null)}
        />
      )}
    </Stack>
  );
}

function useColumns(onRemove: ((custodian: CaseCustodian) => void) | undefined): readonly Column<Row>[] {
  const text = useText();
  const format = useFormat();
  const { words, count, size, actions } = useColumnKinds<Row>();
  const person = ({ custodian: { name, addresses } }: Row): string => (addresses.length === 0 ? name : `${name} (${addresses.join(', ')})`);
  const what = ({ resource }: Row): string => {
    if (resource === null) return text('cases.noResources');
    const gone = resource.deletedAt === null ? '' : ` · ${text('cases.gone', { date: format.date(resource.deletedAt) })}`;
    return `${text(`cases.kinds.${resource.kind}`)}: ${resource.name || resource.address}${gone}`;
  };
  const held = ({ resource }: Row): string => (resource === null ? '–' : text(resource.isHeld ? 'cases.held' : 'cases.notHeld'));
  const columns: readonly Column<Row>[] = [
    words({ id: 'person', title: text('cases.person'), sort: 'person', width: 260 }, person),
    words({ id: 'resource', title: text('cases.resource'), sort: 'resource', width: 280 }, what),
    count({ id: 'points', title: text('cases.points'), width: 130 }, ({ resource }) => resource?.points ?? null),
    count({ id: 'items', title: text('cases.items'), width: 130 }, ({ resource }) => resource?.items ?? null),
    size({ id: 'size', title: text('cases.size'), width: 110 }, ({ resource }) => resource?.bytes ?? null),
    { id: 'held', title: text('cases.tabs.holds'), width: 150, value: held, render: held },
  ];
  if (onRemove === undefined) return columns;
  const render = ({ custodian }: Row): ReactElement => (
    <MoreCommands
      label={`${text('common.actions')}: ${custodian.name}`}
      commands={[{ id: 'remove', label: text('cases.removeCustodian', { name: custodian.name }), run: () => onRemove(custodian) }]}
    />
  );
  return [...columns, actions(render, 90)];
}
