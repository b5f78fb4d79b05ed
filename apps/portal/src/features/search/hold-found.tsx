import type { SavedSearch } from '@holdfast/contract/saved-searches';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useText } from '../../i18n/use-text.ts';
import { HoldForm } from '../holds/index.ts';
import { SaveSearchForm } from './save-search-form.tsx';
import { useSavedSearches } from './search.queries.ts';
import type { StartedSearch } from './search.queries.ts';

interface HoldFoundProps {
  readonly tenantId: string;
  readonly started: StartedSearch;
  readonly onClose: () => void;
}

/** Holds what a search finds, now and later. A hold refers to a saved search: one that is not saved yet is saved first. */
export function HoldFound({ tenantId, started, onClose }: HoldFoundProps): ReactElement {
  const text = useText();
  const list = useSavedSearches(tenantId);
  const [made, setMade] = useState<SavedSearch>();
  const kept = made ?? list.data?.items.find(({ searchId }) => searchId === started.searchId);
  if (kept !== undefined) return <HoldForm tenantId={tenantId} resource={null} search={kept} onClose={onClose} />;
  return (
    <SaveSearchForm
      tenantId={tenantId}
      saved={null}
      query={started.query}
      hint={text('search.saved.holdHint')}
      onSaved={setMade}
      onClose={onClose}
    />
  );
}
