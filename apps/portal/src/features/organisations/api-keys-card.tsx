import { Button, Card, Subtitle2, Text } from '@fluentui/react-components';
import { apiKeys } from '@holdfast/contract/api-keys';
import type { ApiKey } from '@holdfast/contract/api-keys';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useMay, usePortal } from '../../api/portal-context.ts';
import { read, useChange } from '../../api/queries.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { useColumnKinds } from '../../ui/data-table/column-kinds.tsx';
import { DataTable } from '../../ui/data-table/data-table.tsx';
import type { Column } from '../../ui/data-table/types.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Row } from '../../ui/layout.tsx';
import { ShownOnce } from '../../ui/shown-once.tsx';
import { ApiKeyForm } from './api-key-form.tsx';

type Query = { readonly organisationId?: string };

/** Keys with which programs read the state of backups and start jobs: shown once, listed, ended. */
export function ApiKeysCard({ query }: { readonly query: Query }): ReactElement | null {
  const may = useMay('apiKeys.manage');
  return may ? <Keys query={query} /> : null;
}

function Keys({ query }: { readonly query: Query }): ReactElement {
  const text = useText();
  const { toasts } = usePortal();
  const [isCreating, setIsCreating] = useState(false);
  const [made, setMade] = useState<string | null>(null);
  const [asked, setAsked] = useState<ApiKey | null>(null);
  const list = useQuery(read(apiKeys.list, { query, quiet: true }));
  const end = useChange(apiKeys.end, { success: 'successes.apiKeyEnded' });
  const columns = useColumns(setAsked);
  return (
    <Card>
      <Subtitle2 as="h2">{text('apiKeys.title')}</Subtitle2>
      <Text>{text('apiKeys.lead')}</Text>
      <Row>
        <Button onClick={() => setIsCreating(true)}>{text('apiKeys.create')}</Button>
      </Row>
      {made !== null && (
        <ShownOnce
          title={text('apiKeys.once')}
          use={text('apiKeys.use')}
          value={made}
          kept={text('apiKeys.kept')}
          onCopied={() => toasts.show('success', text('successes.copied'))}
          onDone={() => setMade(null)}
        />
      )}
      <DataTable
        id="api-keys"
        prefix="k-"
        label={text('apiKeys.title')}
        columns={columns}
        isSearchable={false}
        source={{ kind: 'list', rows: list.data?.items, error: list.error, retry: () => void list.refetch() }}
        rowKey={(key) => key.apiKeyId}
        rowName={(key) => key.name}
        empty={<EmptyState text={text('apiKeys.empty')} />}
      />
      {isCreating && <ApiKeyForm query={query} onMade={setMade} onClose={() => setIsCreating(false)} />}
      {asked !== null && (
        <ConfirmDialog
          title={text('confirmations.endKeyTitle', { name: asked.name })}
          text={text('confirmations.endKeyText')}
          button={text('apiKeys.end')}
          destructive
          busy={end.isPending}
          onClose={() => setAsked(null)}
          onConfirm={() => end.mutate({ params: { apiKeyId: asked.apiKeyId }, query }, { onSettled: () => setAsked(null) })}
        />
      )}
    </Card>
  );
}

function useColumns(onEnd: (key: ApiKey) => void): readonly Column<ApiKey>[] {
  const text = useText();
  const format = useFormat();
  const { actions } = useColumnKinds<ApiKey>();
  const stateOf = (key: ApiKey): string => text(`apiKeys.${key.state}`);
  const roleOf = (key: ApiKey): string => text(`roles.${key.role}`);
  const networksOf = (key: ApiKey): string => (key.networks.length === 0 ? text('apiKeys.anywhere') : key.networks.join(', '));
  const usedOf = ({ lastUsedAt, lastUsedAddress }: ApiKey): string =>
    lastUsedAt === null
      ? text('apiKeys.never')
      : text('apiKeys.lastUsedFrom', { at: format.dateTime(lastUsedAt), address: lastUsedAddress ?? '' });
  return [
    { id: 'name', title: text('common.name'), width: 200, value: (key) => key.name, render: (key) => key.name },
    { id: 'state', title: text('apiKeys.state'), value: stateOf, render: stateOf },
    { id: 'role', title: text('members.role'), value: roleOf, render: roleOf },
    { id: 'networks', title: text('apiKeys.networks'), value: networksOf, render: networksOf },
    { id: 'creator', title: text('apiKeys.creator'), value: (key) => key.creator, render: (key) => key.creator },
    {
      id: 'expiresAt',
      title: text('apiKeys.expires'),
      value: (key) => format.iso(key.expiresAt),
      render: (key) => format.dateTime(key.expiresAt),
    },
    { id: 'lastUsedAt', title: text('apiKeys.lastUsed'), value: (key) => format.iso(key.lastUsedAt), render: usedOf },
    actions((key) =>
      key.state === 'active' || key.state === 'suspended' ? (
        <Button size="small" onClick={() => onEnd(key)}>
          {text('apiKeys.end')}
        </Button>
      ) : null,
    ),
  ];
}
