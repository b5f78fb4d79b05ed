import { Button, Text } from '@fluentui/react-components';
import { savedSearches } from '@holdfast/contract/saved-searches';
import type { SavedSearch, SearchUse } from '@holdfast/contract/saved-searches';
import { searchReason } from '@holdfast/contract/search';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { z } from 'zod';
import { read, useChange } from '../../api/queries.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { FailedState } from '../../ui/empty-state.tsx';
import { TextField } from '../../ui/fields.tsx';
import { Form, useSchemaForm } from '../../ui/form.tsx';
import { Row, Stack } from '../../ui/layout.tsx';
import { useReason } from '../content/index.ts';

interface SearchUsesProps {
  readonly tenantId: string;
  readonly saved: SavedSearch;
  /** The query as it is written now. */
  readonly query: string;
}

const asked = z.object({ reason: searchReason });

/** What uses a search, what another query means for each of them, and how many items it would add and remove. */
export function SearchUses({ tenantId, saved, query }: SearchUsesProps): ReactElement | null {
  const text = useText();
  const format = useFormat();
  const params = { tenantId, searchId: saved.searchId };
  const uses = useQuery(read(savedSearches.uses, { params, quiet: true }));
  const given = useReason('search');
  const difference = useChange(savedSearches.difference);
  const form = useSchemaForm(asked, { reason: given.reason ?? '' });
  if (uses.isError) return <FailedState error={uses.error} onRetry={() => void uses.refetch()} />;
  const used = uses.data?.items ?? [];
  if (used.length === 0) return null;
  const meaningOf = ({ kind, name }: SearchUse): string => {
    const use = text('search.saved.use', { kind: text(`search.saved.uses.${kind}`), name });
    return kind === 'hold' || kind === 'policy' ? `${use}. ${text(`search.saved.changes.${kind}`)}` : use;
  };
  const { added, removed } = difference.data ?? { added: 0, removed: 0 };
  return (
    <Stack>
      <Text>{text('search.saved.usedBy')}</Text>
      <ul>
        {used.map((use) => (
          <li key={use.id}>{meaningOf(use)}</li>
        ))}
      </ul>
      <Form
        form={form}
        label={text('search.saved.difference')}
        onSubmit={({ reason }) => {
          given.give(reason);
          difference.mutate({ params, body: { query, reason } });
        }}
      >
        <TextField name="reason" label={text('search.reason')} required />
        <Row>
          <Button type="submit" disabledFocusable={difference.isPending}>
            {text('search.saved.difference')}
          </Button>
        </Row>
      </Form>
      <Text role="status">
        {difference.data === undefined
          ? ''
          : text('search.saved.differenceOf', { added: format.count(added), removed: format.count(removed) })}
      </Text>
    </Stack>
  );
}
