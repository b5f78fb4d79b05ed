import { MessageBar, MessageBarBody } from '@fluentui/react-components';
import { caseHoldBody } from '@holdfast/contract/case-values';
import type { CaseHold } from '@holdfast/contract/case-values';
import { cases } from '@holdfast/contract/cases';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useMay } from '../../api/portal-context.ts';
import { useChange } from '../../api/queries.ts';
import { useText } from '../../i18n/use-text.ts';
import { CommandBar } from '../../ui/command-bar.tsx';
import { useColumnKinds } from '../../ui/data-table/column-kinds.tsx';
import { DataTable } from '../../ui/data-table/data-table.tsx';
import type { Column } from '../../ui/data-table/types.ts';
import { DetailDrawer } from '../../ui/detail-drawer.tsx';
import { EmptyState, FirstStep } from '../../ui/empty-state.tsx';
import { TextAreaField, TextField } from '../../ui/fields.tsx';
import { FormButtons } from '../../ui/form-buttons.tsx';
import { Form, useSchemaForm } from '../../ui/form.tsx';
import { Stack } from '../../ui/layout.tsx';
import { HoldDetails, useHoldWords } from '../holds/index.ts';
import type { CaseProps } from './case-props.ts';

/** The holds of a case and what each guards; one ends from its details, with a second person. */
export function CaseHolds({ tenantId, of }: CaseProps): ReactElement {
  const text = useText();
  const mayManage = useMay('cases.manage');
  const [isPlacing, setPlacing] = useState(false);
  const [openId, setOpenId] = useState<string | null>(null);
  const columns = useColumns();
  const unheld = new Set(
    of.custodians.flatMap(({ resources }) => resources.filter(({ isHeld }) => !isHeld).map(({ resourceId }) => resourceId)),
  );
  const mayPlace = mayManage && of.status === 'open' && unheld.size > 0;
  const place = (): void => setPlacing(true);
  const open = of.holds.find(({ holdId }) => holdId === openId);
  const isReady = of.custodians.length > 0;
  return (
    <Stack>
      {unheld.size > 0 && (
        <MessageBar intent="warning" layout="multiline">
          <MessageBarBody>{text('cases.unheld', { count: unheld.size })}</MessageBarBody>
        </MessageBar>
      )}
      <CommandBar commands={mayPlace ? [{ id: 'hold', label: text('cases.hold'), run: place, isPrimary: true }] : []} />
      <DataTable
        id="case-holds"
        prefix="holds"
        label={text('cases.tabs.holds')}
        columns={columns}
        source={{ kind: 'list', rows: of.holds }}
        rowKey={(row) => row.holdId}
        rowName={(row) => `${row.name} ${row.resource?.name ?? ''}`}
        onOpen={(row) => setOpenId(row.holdId)}
        empty={
          isReady ? (
            <FirstStep text={text('cases.noHolds')} label={text('cases.hold')} may={mayPlace} onClick={place} />
          ) : (
            <EmptyState text={text('cases.noCustodians')} />
          )
        }
      />
      {isPlacing && <PlaceHolds tenantId={tenantId} of={of} onClose={() => setPlacing(false)} />}
      {open !== undefined && <HoldDetails tenantId={tenantId} hold={open} onClose={() => setOpenId(null)} />}
    </Stack>
  );
}

function PlaceHolds({ tenantId, of, onClose }: CaseProps & { readonly onClose: () => void }): ReactElement {
  const text = useText();
  const place = useChange(cases.placeHolds, { success: 'successes.caseHeld' });
  const form = useSchemaForm(caseHoldBody, { name: of.matter.slice(0, 100), reason: '' });
  const title = text('cases.holdTitle');
  return (
    <DetailDrawer title={title} onClose={onClose}>
      <Form
        form={form}
        label={title}
        onSubmit={(body) => place.mutate({ params: { tenantId, caseId: of.caseId }, body }, { onSuccess: onClose })}
      >
        <span>{text('cases.holdText')}</span>
        <TextField name="name" label={text('cases.holdName')} required />
        <TextAreaField name="reason" label={text('cases.reason')} required />
        <FormButtons isBusy={place.isPending} submit={text('cases.hold')} onClose={onClose} />
      </Form>
    </DetailDrawer>
  );
}

function useColumns(): readonly Column<CaseHold>[] {
  const text = useText();
  const { words, count, size, moment } = useColumnKinds<CaseHold>();
  const holdWords = useHoldWords();
  return [
    words({ id: 'on', title: text('holds.on'), sort: 'on', width: 260 }, holdWords.on),
    words({ id: 'status', title: text('common.status'), sort: 'status', width: 200 }, (row) => text(`holds.${row.status}`)),
    count({ id: 'points', title: text('cases.points'), width: 130 }, (row) => row.points),
    count({ id: 'items', title: text('cases.items'), width: 130 }, (row) => row.items),
    size({ id: 'size', title: text('cases.size'), width: 110 }, (row) => row.bytes),
    words({ id: 'name', title: text('common.name'), width: 180 }, (row) => row.name),
    moment({ id: 'placedAt', title: text('holds.placedAt'), sort: 'placedAt', width: 150 }, (row) => row.placedAt),
  ];
}
