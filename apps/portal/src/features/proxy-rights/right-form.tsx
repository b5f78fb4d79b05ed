import { Text } from '@fluentui/react-components';
import { proxyActions, proxyHolderKinds, proxyRights, proxyTargetKinds } from '@holdfast/contract/proxy-rights';
import type { ReactElement } from 'react';
import { useWatch } from 'react-hook-form';
import { ApiError } from '../../api/api-error.ts';
import { useChange } from '../../api/queries.ts';
import { useText } from '../../i18n/use-text.ts';
import { CheckField, RadioField } from '../../ui/choice-fields.tsx';
import { DetailDrawer } from '../../ui/detail-drawer.tsx';
import { TextAreaField, TextField } from '../../ui/fields.tsx';
import { FormButtons } from '../../ui/form-buttons.tsx';
import { Form, showServerFaults, useSchemaForm } from '../../ui/form.tsx';
import { SourcePicker } from '../jobs/index.ts';
import { bodyOf, emptyDraft, fieldOf, rightDraft } from './right-draft.ts';

export interface RightFormProps {
  readonly tenantId: string;
  /** The directory is listed through a location of the tenant. */
  readonly locationId: string;
  readonly onClose: () => void;
}

/** Grants a proxy right: to whom, over whose content, what and until when. */
export function RightForm({ tenantId, locationId, onClose }: RightFormProps): ReactElement {
  const text = useText();
  const grant = useChange(proxyRights.grant, { success: 'successes.proxyRightsGranted' });
  const form = useSchemaForm(rightDraft, emptyDraft);
  const [holderKind, targetKind] = useWatch({ control: form.control, name: ['holderKind', 'targetKind'] });
  /** The server speaks of holder and target; the form has a field for each kind of them. */
  const shown = (fields: Readonly<Record<string, readonly string[]>>): Record<string, readonly string[]> =>
    Object.fromEntries(
      Object.entries(fields).map(([name, faults]) => {
        if (name !== 'holder' && name !== 'target') return [name, faults];
        return [fieldOf(name, name === 'holder' ? holderKind : targetKind), faults];
      }),
    );
  return (
    <DetailDrawer title={text('proxyRights.grant')} onClose={onClose}>
      <Form
        form={form}
        label={text('proxyRights.grant')}
        onSubmit={(draft) =>
          grant.mutate(
            { params: { tenantId }, body: bodyOf(draft) },
            {
              onSuccess: onClose,
              onError: (error) => {
                if (error instanceof ApiError) showServerFaults(form, shown(error.fields));
              },
            },
          )
        }
      >
        <Text>{text('proxyRights.grantHint')}</Text>
        <RadioField
          name="holderKind"
          label={text('proxyRights.holder')}
          choices={proxyHolderKinds.map((value) => ({ value, label: text(`proxyRights.kinds.${value}`) }))}
        />
        <PartyPicker side="holder" kind={holderKind} {...{ tenantId, locationId }} />
        <RadioField
          name="targetKind"
          label={text('proxyRights.target')}
          choices={proxyTargetKinds.map((value) => ({ value, label: text(`proxyRights.kinds.${value}`) }))}
        />
        {targetKind !== 'everyone' && <PartyPicker side="target" kind={targetKind} {...{ tenantId, locationId }} />}
        {proxyActions.map((action) => (
          <CheckField key={action} name={action} label={text(`proxyRights.${action}`)} />
        ))}
        <CheckField name="includesPrivate" label={text('proxyRights.includesPrivate')} hint={text('proxyRights.privateHint')} />
        <TextField name="mailFrom" label={text('proxyRights.mailFrom')} hint={text('proxyRights.mailHint')} type="date" />
        <TextField name="mailTo" label={text('proxyRights.mailTo')} type="date" />
        <TextField name="accessFrom" label={text('proxyRights.accessFrom')} type="date" required />
        <TextField name="accessTo" label={text('proxyRights.accessTo')} hint={text('proxyRights.accessHint')} type="date" required />
        <TextAreaField name="purpose" label={text('proxyRights.purpose')} required />
        <FormButtons isBusy={grant.isPending} submit={text('proxyRights.grant')} onClose={onClose} />
      </Form>
    </DetailDrawer>
  );
}

interface PartyPickerProps {
  readonly side: 'holder' | 'target';
  readonly kind: 'account' | 'group';
  readonly tenantId: string;
  readonly locationId: string;
}

function PartyPicker({ side, kind, tenantId, locationId }: PartyPickerProps): ReactElement {
  const text = useText();
  const name = fieldOf(side, kind);
  return (
    <SourcePicker
      key={name}
      name={name}
      kind={kind === 'group' ? 'groups' : 'users'}
      label={text(side === 'holder' ? 'proxyRights.chooseHolder' : 'proxyRights.chooseTarget')}
      hint={text(kind === 'group' ? 'proxyRights.groupHint' : 'proxyRights.accountHint')}
      isSingle
      {...{ tenantId, locationId }}
    />
  );
}
