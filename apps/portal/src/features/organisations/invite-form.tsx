import { invitationBody, members } from '@holdfast/contract/members';
import type { ReactElement } from 'react';
import { useRolesToGive } from '../../api/portal-context.ts';
import { useChange } from '../../api/queries.ts';
import { useText } from '../../i18n/use-text.ts';
import { DetailDrawer } from '../../ui/detail-drawer.tsx';
import { SelectField } from '../../ui/choice-fields.tsx';
import { TextField } from '../../ui/fields.tsx';
import { FormButtons } from '../../ui/form-buttons.tsx';
import { Form, showFaultsIn, useSchemaForm } from '../../ui/form.tsx';
import { invitationSuccess } from './member.ts';

export interface InviteFormProps {
  readonly query: { readonly organisationId?: string };
  /** The link that can't be mailed, shown once. */
  readonly onLink: (link: string | null) => void;
  readonly onClose: () => void;
}

/** Invites somebody, in a role not above one's own. */
export function InviteForm({ query, onLink, onClose }: InviteFormProps): ReactElement {
  const text = useText();
  const invite = useChange(members.invite, { success: invitationSuccess });
  const choices = useRolesToGive();
  const form = useSchemaForm(invitationBody, { email: '', role: 'reader' });
  return (
    <DetailDrawer title={text('members.invite')} onClose={onClose}>
      <Form
        form={form}
        label={text('members.invite')}
        onSubmit={(body) =>
          invite.mutate(
            { body: { ...body, ...query } },
            {
              onSuccess: ({ link }) => {
                onLink(link);
                onClose();
              },
              onError: showFaultsIn(form),
            },
          )
        }
      >
        <TextField name="email" label={text('common.email')} required />
        <SelectField
          name="role"
          label={text('members.role')}
          choices={choices.map((role) => ({ value: role, label: text(`roles.${role}`) }))}
        />
        <TextField name="firstName" label={text('members.firstName')} isOptional />
        <TextField name="lastName" label={text('members.lastName')} isOptional />
        <TextField name="phoneNumber" label={text('members.phoneNumber')} isOptional />
        <FormButtons isBusy={invite.isPending} submit={text('members.invite')} onClose={onClose} />
      </Form>
    </DetailDrawer>
  );
}
