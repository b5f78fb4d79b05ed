import { Subtitle2, Text } from '@fluentui/react-components';
import { proxyExemptionEndBody, proxyRights } from '@holdfast/contract/proxy-rights';
import type { ProxyExemption } from '@holdfast/contract/proxy-rights';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { read, useChange } from '../../api/queries.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { nameWithAddress } from '../../i18n/name-with-address.ts';
import { CommandBar } from '../../ui/command-bar.tsx';
import { useColumnKinds } from '../../ui/data-table/column-kinds.tsx';
import { DataTable } from '../../ui/data-table/data-table.tsx';
import type { Column } from '../../ui/data-table/types.ts';
import { DetailDrawer } from '../../ui/detail-drawer.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { TextAreaField } from '../../ui/fields.tsx';
import { FormButtons } from '../../ui/form-buttons.tsx';
import { Form, useSchemaForm } from '../../ui/form.tsx';
import { Facts, Stack } from '../../ui/layout.tsx';
import { ApprovalHint } from '../tenants/index.ts';
import { ExemptForm } from './exempt-form.tsx';

export interface ExemptListProps {
  readonly tenantId: string;
  /** The directory is listed through a location of the tenant; without one nobody can be chosen. */
  readonly locationId: string | undefined;
}

/** Whose content opens to nobody on a role or a proxy right. */
export function ExemptList({ tenantId, locationId }: ExemptListProps): ReactElement {
  const text = useText();
  const list = useQuery(read(proxyRights.exemptions, { params: { tenantId }, quiet: true }));
  const columns = useColumns();
  const [isAdding, setAdding] = useState(false);
  const [openId, setOpenId] = useState<string | null>(null);
  const open = list.data?.items.find((one) => one.exemptionId === openId);
  return (
    <Stack>
      <Subtitle2 as="h2">{text('proxyRights.exempt')}</Subtitle2>
      <Text>{text('proxyRights.exemptLead')}</Text>
      <CommandBar
        commands={locationId === undefined ? [] : [{ id: 'exempt', label: text('proxyRights.exemptAdd'), run: () => setAdding(true) }]}
      />
      <DataTable
        id="proxy-exemptions"
        prefix="exempt"
        label={text('proxyRights.exempt')}
        columns={columns}
        source={{ kind: 'list', rows: list.data?.items, error: list.error, retry: () => void list.refetch() }}
        rowKey={(one) => one.exemptionId}
        rowName={(one) => one.party.name}
        onOpen={(one) => setOpenId(one.exemptionId)}
        empty={<EmptyState text={text('proxyRights.exemptEmpty')} />}
      />
      {isAdding && locationId !== undefined && <ExemptForm {...{ tenantId, locationId }} onClose={() => setAdding(false)} />}
      {open !== undefined && <ExemptDetails tenantId={tenantId} exemption={open} onClose={() => setOpenId(null)} />}
    </Stack>
  );
}

interface ExemptDetailsProps {
  readonly tenantId: string;
  readonly exemption: ProxyExemption;
  readonly onClose: () => void;
}

/** One exemption, and how it ends: with a reason and a second person. */
function ExemptDetails({ tenantId, exemption, onClose }: ExemptDetailsProps): ReactElement {
  const text = useText();
  const format = useFormat();
  const [isEnding, setEnding] = useState(false);
  const { state, party, reason, adder, addedAt, endedAt } = exemption;
  return (
    <DetailDrawer title={party.name} onClose={onClose}>
      {state === 'active' && !isEnding && (
        <CommandBar commands={[{ id: 'end', label: text('proxyRights.exemptEnd'), run: () => setEnding(true) }]} />
      )}
      {isEnding && <EndForm tenantId={tenantId} exemption={exemption} onClose={() => setEnding(false)} />}
      {state === 'ending' && <ApprovalHint tenantId={tenantId} subjectId={exemption.exemptionId} />}
      <Facts
        items={[
          [text('common.status'), text(`proxyRights.exemptStates.${state}`)],
          [text('proxyRights.exemptWho'), nameWithAddress(party)],
          [text('proxyRights.exemptReason'), reason],
          [text('proxyRights.exemptAdder'), adder],
          [text('proxyRights.exemptAddedAt'), format.dateTime(addedAt)],
          ...(endedAt === null ? [] : ([[text('proxyRights.exemptEndedAt'), format.dateTime(endedAt)]] as const)),
        ]}
      />
    </DetailDrawer>
  );
}

function EndForm({ tenantId, exemption, onClose }: ExemptDetailsProps): ReactElement {
  const text = useText();
  const end = useChange(proxyRights.endExemption, { success: 'successes.exemptionEndAsked' });
  const form = useSchemaForm(proxyExemptionEndBody, { reason: '' });
  const { exemptionId, party } = exemption;
  return (
    <Form
      form={form}
      label={text('proxyRights.exemptEndTitle', { name: party.name })}
      onSubmit={(body) => end.mutate({ params: { tenantId, exemptionId }, body }, { onSuccess: onClose })}
    >
      <ApprovalHint tenantId={tenantId} />
      <TextAreaField name="reason" label={text('proxyRights.exemptReason')} hint={text('proxyRights.exemptEndText')} required />
      <FormButtons isBusy={end.isPending} submit={text('proxyRights.exemptEnd')} onClose={onClose} />
    </Form>
  );
}

function useColumns(): readonly Column<ProxyExemption>[] {
  const text = useText();
  const { words, moment } = useColumnKinds<ProxyExemption>();
  return [
    words({ id: 'party', title: text('proxyRights.exemptWho'), width: 280 }, (row) => nameWithAddress(row.party)),
    words({ id: 'state', title: text('common.status'), width: 200 }, (row) => text(`proxyRights.exemptStates.${row.state}`)),
    words({ id: 'reason', title: text('proxyRights.exemptReason'), width: 280 }, (row) => row.reason),
    words({ id: 'adder', title: text('proxyRights.exemptAdder'), width: 220 }, (row) => row.adder),
    moment({ id: 'addedAt', title: text('proxyRights.exemptAddedAt') }, (row) => row.addedAt),
  ];
}
