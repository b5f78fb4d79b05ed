import { apiKeyBody, apiKeys, keyDays } from '@holdfast/contract/api-keys';
import { keyRoles } from '@holdfast/contract/actions';
import type { ReactElement } from 'react';
import { useRolesToGive } from '../../api/portal-context.ts';
import { useChange } from '../../api/queries.ts';
import { useText } from '../../i18n/use-text.ts';
import { SelectField } from '../../ui/choice-fields.tsx';
import { DetailDrawer } from '../../ui/detail-drawer.tsx';
import { TextField } from '../../ui/fields.tsx';
import { FormButtons } from '../../ui/form-buttons.tsx';
import { Form, showFaultsIn, useSchemaForm } from '../../ui/form.tsx';
import { TagField } from '../../ui/tag-field.tsx';

export interface ApiKeyFormProps {
  readonly query: { readonly organisationId?: string };
  /** The key itself, which no later answer contains. */
  readonly onMade: (key: string) => void;
  readonly onClose: () => void;
}

/** Creates a key with a role not above one's own. */
export function ApiKeyForm({ query, onMade, onClose }: ApiKeyFormProps): ReactElement {
  const text = useText();
  const create = useChange(apiKeys.create);
  const mine = useRolesToGive();
  const form = useSchemaForm(apiKeyBody, { name: '', role: 'reader', days: '90', networks: [] });
  return (
    <DetailDrawer title={text('apiKeys.create')} onClose={onClose}>
      <Form
        form={form}
        label={text('apiKeys.create')}
        onSubmit={(body) =>
          create.mutate(
            { query, body },
            {
              onSuccess: ({ key }) => {
                onMade(key);
                onClose();
              },
              onError: showFaultsIn(form),
            },
          )
        }
      >
        <TextField name="name" label={text('common.name')} hint={text('apiKeys.nameHint')} required />
        <SelectField
          name="role"
          label={text('members.role')}
          hint={text('apiKeys.roleHint')}
          choices={keyRoles.filter((role) => mine.includes(role)).map((role) => ({ value: role, label: text(`roles.${role}`) }))}
        />
        <SelectField
          name="days"
          label={text('apiKeys.days')}
          choices={keyDays.map((count) => ({ value: String(count), label: text('apiKeys.dayCount', { count }) }))}
        />
        <TagField name="networks" label={text('apiKeys.networks')} hint={text('apiKeys.networksHint')} />
        <FormButtons isBusy={create.isPending} submit={text('apiKeys.create')} onClose={onClose} />
      </Form>
    </DetailDrawer>
  );
}
