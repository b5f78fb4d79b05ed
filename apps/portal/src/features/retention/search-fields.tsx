import { Text } from '@fluentui/react-components';
import { retentionSubjects } from '@holdfast/contract/retention-terms';
import { savedSearches } from '@holdfast/contract/saved-searches';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { read } from '../../api/queries.ts';
import { useText } from '../../i18n/use-text.ts';
import { RadioField, SelectField } from '../../ui/choice-fields.tsx';
import { FailedState } from '../../ui/empty-state.tsx';
import { Stack } from '../../ui/layout.tsx';

/** The saved search whose hits a policy is on, and of what it finds messages or files. */
export function SearchFields({ tenantId }: { readonly tenantId: string }): ReactElement {
  const text = useText();
  const searches = useQuery(read(savedSearches.list, { params: { tenantId }, quiet: true }));
  const choices = (searches.data?.items ?? []).map(({ searchId, name }) => ({ value: searchId, label: name }));
  return (
    <Stack>
      {searches.isError && <FailedState error={searches.error} onRetry={() => void searches.refetch()} />}
      <SelectField
        name="searchId"
        label={text('retention.search')}
        hint={text(searches.data?.items.length === 0 ? 'retention.searchNone' : 'retention.searchChoose')}
        choices={choices}
        required
      />
      <RadioField
        name="searched"
        label={text('retention.searched')}
        choices={retentionSubjects.map((value) => ({ value, label: text(`retention.searchedKinds.${value}`) }))}
      />
      <Text size={200}>{text('retention.searchHint')}</Text>
    </Stack>
  );
}
