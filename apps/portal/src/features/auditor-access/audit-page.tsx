import { Button } from '@fluentui/react-components';
import { SearchRegular } from '@fluentui/react-icons';
import { auditorAccesses } from '@holdfast/contract/auditor-access';
import type { AuditorAccess } from '@holdfast/contract/auditor-access';
import { searchBody } from '@holdfast/contract/search';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { z } from 'zod';
import { useMay, usePortal } from '../../api/portal-context.ts';
import { keyOf, read, useDownload } from '../../api/queries.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { SelectField } from '../../ui/choice-fields.tsx';
import { CommandBar } from '../../ui/command-bar.tsx';
import { EmptyState, FailedState } from '../../ui/empty-state.tsx';
import { TextField } from '../../ui/fields.tsx';
import { Form, useSchemaForm } from '../../ui/form.tsx';
import { Row, Stack } from '../../ui/layout.tsx';
import { LoadingShape } from '../../ui/loading-shape.tsx';
import { Page } from '../../ui/page.tsx';
import { HitsToRead } from '../search/index.ts';
import { WithTenant } from '../tenants/index.ts';

/** `/archive/audit`: what was frozen for an auditor, to be searched, read and printed. */
export default function AuditPage(): ReactElement {
  const text = useText();
  const may = useMay('auditorAccess.read');
  return (
    <Page title={text('shell.audit')} lead={text('auditorAccess.mineLead')}>
      {may ? (
        <WithTenant>{(tenant) => <Audit tenantId={tenant.tenantId} />}</WithTenant>
      ) : (
        <EmptyState text={text('auditorAccess.auditorsOnly')} />
      )}
    </Page>
  );
}

const look = searchBody.extend({ accessId: z.string() });
type Look = z.output<typeof look>;

function Audit({ tenantId }: { readonly tenantId: string }): ReactElement {
  const text = useText();
  const mine = useQuery(read(auditorAccesses.mine, { params: { tenantId }, quiet: true }));
  const [started, setStarted] = useState<Look | null>(null);
  if (mine.isPending) return <LoadingShape rows={6} />;
  if (mine.isError) return <FailedState error={mine.error} onRetry={() => void mine.refetch()} />;
  const [first] = mine.data.items;
  if (first === undefined) return <EmptyState text={text('auditorAccess.mineEmpty')} />;
  return (
    <Stack loose>
      <LookForm accesses={mine.data.items} first={first.accessId} onLook={setStarted} />
      {started === null ? (
        <EmptyState text={text('auditorAccess.giveReason')} />
      ) : (
        <Found key={JSON.stringify(started)} tenantId={tenantId} started={started} />
      )}
    </Stack>
  );
}

interface LookFormProps {
  readonly accesses: readonly AuditorAccess[];
  readonly first: string;
  readonly onLook: (started: Look) => void;
}

/** Which list, what of it, and why. */
function LookForm({ accesses, first, onLook }: LookFormProps): ReactElement {
  const text = useText();
  const format = useFormat();
  const form = useSchemaForm(look, { accessId: first, query: '', reason: '' });
  return (
    <Form
      form={form}
      label={text('shell.audit')}
      isWide
      onSubmit={(values) => {
        form.reset(values);
        onLook(values);
      }}
    >
      <SelectField
        name="accessId"
        label={text('auditorAccess.choose')}
        choices={accesses.map(({ accessId, purpose, accessTo }) => ({
          value: accessId,
          label: text('auditorAccess.choice', { purpose, date: format.date(accessTo) }),
        }))}
      />
      <TextField name="query" label={text('auditorAccess.words')} hint={text('auditorAccess.wordsHint')} />
      <TextField name="reason" label={text('auditorAccess.reason')} required />
      <Row>
        <Button type="submit" appearance="primary" icon={<SearchRegular />}>
          {text('auditorAccess.show')}
        </Button>
      </Row>
    </Form>
  );
}

interface FoundProps {
  readonly tenantId: string;
  readonly started: Look;
}

/** Each page is logged: it is asked for when the reader scrolls to it, never again by itself. */
function useFrozen({ tenantId, started }: FoundProps) {
  const { client } = usePortal();
  const { accessId, query, reason } = started;
  return useInfiniteQuery({
    queryKey: [...keyOf(auditorAccesses.items), tenantId, started],
    queryFn: ({ pageParam }) =>
      client.send(auditorAccesses.items, {
        params: { tenantId, accessId },
        body: { query, reason, limit: 100, ...(pageParam === null ? {} : { cursor: pageParam }) },
        quiet: true,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    staleTime: 'static',
    retry: false,
    meta: { quiet: true },
  });
}

function Found({ tenantId, started }: FoundProps): ReactElement {
  const text = useText();
  const hits = useFrozen({ tenantId, started });
  const download = useDownload(auditorAccesses.csv);
  if (hits.isPending) return <LoadingShape rows={8} />;
  if (hits.isError) return <FailedState error={hits.error} title={text('failures.retrieve')} onRetry={() => void hits.refetch()} />;
  if (hits.data.pages[0]?.items.length === 0) return <EmptyState text={text('auditorAccess.none')} />;
  const { accessId, query, reason } = started;
  return (
    <Stack>
      <CommandBar
        commands={[
          {
            id: 'csv',
            label: text('auditorAccess.csv'),
            run: () => download.mutate({ params: { tenantId, accessId }, query: { query, reason } }),
          },
        ]}
      />
      <HitsToRead tenantId={tenantId} hits={hits} reason={reason} isReadOnly />
    </Stack>
  );
}
