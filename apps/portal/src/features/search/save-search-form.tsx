import { Text } from '@fluentui/react-components';
import { savedSearchBody, savedSearches } from '@holdfast/contract/saved-searches';
import type { SavedSearch } from '@holdfast/contract/saved-searches';
import type { ReactElement } from 'react';
import { useWatch } from 'react-hook-form';
import { useChange, useUpdate } from '../../api/queries.ts';
import { useText } from '../../i18n/use-text.ts';
import { SwitchField } from '../../ui/choice-fields.tsx';
import { DetailDrawer } from '../../ui/detail-drawer.tsx';
import { TextAreaField, TextField } from '../../ui/fields.tsx';
import { FormButtons } from '../../ui/form-buttons.tsx';
import { Form, showFaultsIn, useSchemaForm } from '../../ui/form.tsx';
import { SearchUses } from './search-uses.tsx';

interface SaveSearchFormProps {
  readonly tenantId: string;
  /** The search to change; null saves another one. */
  readonly saved: SavedSearch | null;
  readonly query: string;
  /** Why it is saved, where it is a step towards something else. */
  readonly hint?: string;
  /** Goes on with the search that was saved; without it the form is closed. */
  readonly onSaved?: (search: SavedSearch) => void;
  readonly onClose: () => void;
}

/** Keeps a search under a name, or changes one: its name, its query, its alert. */
export function SaveSearchForm({ tenantId, saved, query, hint, onClose, onSaved = onClose }: SaveSearchFormProps): ReactElement {
  const text = useText();
  const create = useChange(savedSearches.create, { success: 'successes.searchSaved' });
  const update = useUpdate(savedSearches.update, savedSearches.get, { success: 'successes.searchSaved' });
  const form = useSchemaForm(savedSearchBody, { name: saved?.name ?? '', query, hasAlert: saved?.hasAlert ?? false });
  const written = useWatch({ control: form.control, name: 'query' });
  const title = saved === null ? text('search.saved.save') : text('search.saved.editTitle', { name: saved.name });
  const showFaults = showFaultsIn(form);
  return (
    <DetailDrawer title={title} onClose={onClose}>
      {saved !== null && <SearchUses tenantId={tenantId} saved={saved} query={written} />}
      <Form
        form={form}
        label={title}
        onSubmit={(body) => {
          if (saved === null) create.mutate({ params: { tenantId }, body }, { onSuccess: onSaved, onError: showFaults });
          else update.save({ params: { tenantId, searchId: saved.searchId }, body }, saved, onClose, showFaults);
        }}
      >
        {hint !== undefined && <Text>{hint}</Text>}
        <TextField name="name" label={text('common.name')} required />
        <TextAreaField name="query" label={text('search.saved.query')} />
        <SwitchField name="hasAlert" label={text('search.saved.alertSwitch')} hint={text('search.saved.alertHint')} />
        <FormButtons isBusy={create.isPending || update.isPending} submit={text('common.save')} onClose={onClose} />
      </Form>
    </DetailDrawer>
  );
}
