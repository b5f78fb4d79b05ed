import { Text } from '@fluentui/react-components';
import { auditorAccessBody, auditorAccesses, auditorSourceKinds } from '@holdfast/contract/auditor-access';
import type { AuditorAccessBody } from '@holdfast/contract/auditor-access';
import { cases } from '@holdfast/contract/cases';
import { pageSizeMax } from '@holdfast/contract/limits';
import { members } from '@holdfast/contract/members';
import { savedSearches } from '@holdfast/contract/saved-searches';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { useWatch } from 'react-hook-form';
import { z } from 'zod';
import { ApiError } from '../../api/api-error.ts';
import { useChosenWorker } from '../../api/portal-context.ts';
import { read, useChange } from '../../api/queries.ts';
import { endOfDay, requiredDay, startOfDay } from '../../i18n/calendar-day.ts';
import { useText } from '../../i18n/use-text.ts';
import { RadioField, SelectField } from '../../ui/choice-fields.tsx';
import { DetailDrawer } from '../../ui/detail-drawer.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { TextAreaField, TextField } from '../../ui/fields.tsx';
import { FormButtons } from '../../ui/form-buttons.tsx';
import { Form, showServerFaults, useSchemaForm } from '../../ui/form.tsx';
import { RouterLink } from '../../ui/router-link.tsx';

/** What the form asks for: days instead of moments, and a field for each kind of source. */
const draft = z
  .object({
    userId: z.string().min(1, { error: 'validation.required' }),
    kind: z.enum(auditorSourceKinds),
    search: z.string(),
    case: z.string(),
    accessFrom: requiredDay,
    accessTo: requiredDay,
    purpose: auditorAccessBody.shape.purpose,
  })
  .superRefine(({ kind, accessFrom, accessTo, ...chosen }, context) => {
    const refuse = (path: string, message: string): void => context.addIssue({ code: 'custom', path: [path], message });
    if (chosen[kind] === '') refuse(kind, 'validation.required');
    if (accessFrom > accessTo) refuse('accessTo', 'validation.holdPeriod');
  });

function bodyOf({ userId, kind, accessFrom, accessTo, purpose, ...chosen }: z.output<typeof draft>): AuditorAccessBody {
  const source = kind === 'case' ? { kind, caseId: chosen.case } : { kind, searchId: chosen.search };
  return { userId, source, accessFrom: startOfDay(accessFrom), accessTo: endOfDay(accessTo), purpose };
}

interface AuditorFormProps {
  readonly tenantId: string;
  readonly onClose: () => void;
}

/** Who can be let in, and to what. */
function useChoices(tenantId: string) {
  const chosen = useChosenWorker();
  const query = chosen === null ? {} : { organisationId: chosen.clientId };
  const people = useQuery(read(members.list, { query, quiet: true }));
  const searches = useQuery(read(savedSearches.list, { params: { tenantId }, quiet: true }));
  const open = useQuery(read(cases.list, { params: { tenantId }, query: { status: 'open', limit: pageSizeMax }, quiet: true }));
  return {
    auditors: people.data?.items
      .filter(({ role, status }) => role === 'auditor' && status === 'active')
      .map(({ userId, email }) => ({ value: userId, label: email })),
    search: searches.data?.items.map(({ searchId, name }) => ({ value: searchId, label: name })),
    case: open.data?.items.map(({ caseId, matter }) => ({ value: caseId, label: matter })),
  };
}

/** Lets an auditor read what a case or a saved search finds now. */
export function AuditorForm({ tenantId, onClose }: AuditorFormProps): ReactElement {
  const text = useText();
  const choices = useChoices(tenantId);
  const grant = useChange(auditorAccesses.grant, { success: 'successes.auditorAccessGranted' });
  const empty = { userId: '', kind: 'search' as const, search: '', case: '', accessFrom: '', accessTo: '', purpose: '' };
  const form = useSchemaForm(draft, empty);
  const kind = useWatch({ control: form.control, name: 'kind' });
  const title = text('auditorAccess.grant');
  if (choices.auditors?.length === 0) {
    return (
      <DetailDrawer title={title} onClose={onClose}>
        <EmptyState
          text={text('auditorAccess.noAuditors')}
          action={<RouterLink to="/configuration/users">{text('auditorAccess.toUsers')}</RouterLink>}
        />
      </DetailDrawer>
    );
  }
  return (
    <DetailDrawer title={title} onClose={onClose}>
      <Form
        form={form}
        label={title}
        onSubmit={(values) =>
          grant.mutate(
            { params: { tenantId }, body: bodyOf(values) },
            {
              onSuccess: onClose,
              onError: (error) => {
                const { source, ...fields } = error instanceof ApiError ? error.fields : {};
                showServerFaults(form, source === undefined ? fields : { ...fields, [kind]: source });
              },
            },
          )
        }
      >
        <Text>{text('auditorAccess.grantHint')}</Text>
        <SelectField name="userId" label={text('auditorAccess.auditor')} choices={choices.auditors ?? []} required />
        <RadioField
          name="kind"
          label={text('auditorAccess.sourceKind')}
          choices={auditorSourceKinds.map((value) => ({ value, label: text(`auditorAccess.sourceKinds.${value}`) }))}
        />
        <SelectField
          key={kind}
          name={kind}
          label={text(`auditorAccess.${kind}`)}
          choices={choices[kind] ?? []}
          {...(choices[kind]?.length === 0 ? { hint: text(kind === 'search' ? 'retention.searchNone' : 'cases.noOpenCases') } : {})}
          required
        />
        <TextField name="accessFrom" label={text('auditorAccess.accessFrom')} type="date" required />
        <TextField name="accessTo" label={text('auditorAccess.accessTo')} hint={text('auditorAccess.accessHint')} type="date" required />
        <TextAreaField name="purpose" label={text('auditorAccess.purpose')} required />
        <FormButtons isBusy={grant.isPending} submit={title} onClose={onClose} />
      </Form>
    </DetailDrawer>
  );
}
