import { Button, Text } from '@fluentui/react-components';
import { retention } from '@holdfast/contract/retention';
import { retentionAnchors, retentionEventKinds, retentionStarts, retentionUnits } from '@holdfast/contract/retention-terms';
import type { Policy, PolicyPlace } from '@holdfast/contract/retention';
import type { ReactElement } from 'react';
import { useWatch } from 'react-hook-form';
import { ApiError } from '../../api/api-error.ts';
import { useChange } from '../../api/queries.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { RadioField, SelectField } from '../../ui/choice-fields.tsx';
import { DetailDrawer } from '../../ui/detail-drawer.tsx';
import { TextField } from '../../ui/fields.tsx';
import { FormButtons } from '../../ui/form-buttons.tsx';
import { Form, showServerFaults, useSchemaForm } from '../../ui/form.tsx';
import { Row, Stack } from '../../ui/layout.tsx';
import { AttributeFields } from './attribute-fields.tsx';
import { LabelFields } from './label-fields.tsx';
import { MailboxField } from './mailbox-field.tsx';
import { PlaceField } from './place-field.tsx';
import { ReviewFields } from './review-fields.tsx';
import { SearchFields } from './search-fields.tsx';
import {
  bodyOf,
  draftOf,
  formFaults,
  isOnFiles,
  policyDraft,
  policyRules,
  policyScopes,
  policyTemplates,
  templateNames,
  type PolicyDraft,
} from './policy-draft.ts';

export interface PolicyFormProps {
  readonly tenantId: string;
  /** The draft that is edited, or the policy whose place a new one takes; null for a new one. */
  readonly policy: Policy | null;
  /** Sites, folders and files that are to come under it. */
  readonly places?: readonly PolicyPlace[];
  /** The policy that was saved is shown next: it needs its preview. */
  readonly onSaved: (policyId: string) => void;
  readonly onClose: () => void;
}

const months = Array.from({ length: 12 }, (_, at) => at + 1);

/** Returns the title of the form of a policy. */
export function usePolicyTitle(): (policy: Policy | null) => string {
  const text = useText();
  return (policy) => {
    if (policy === null) return text('retention.createTitle');
    return text(policy.status === 'draft' ? 'retention.editTitle' : 'retention.replaceTitle', { name: policy.name });
  };
}

/** Drafts a policy, edits a draft, or drafts what replaces a policy in force. */
export function PolicyForm(props: PolicyFormProps): ReactElement {
  const titleOf = usePolicyTitle();
  return (
    <DetailDrawer title={titleOf(props.policy)} onClose={props.onClose}>
      <PolicyEntries {...props} />
    </DetailDrawer>
  );
}

/** The form of a policy, in a drawer that is open. */
export function PolicyEntries({ tenantId, policy, places, onSaved, onClose }: PolicyFormProps): ReactElement {
  const text = useText();
  const titleOf = usePolicyTitle();
  const isDraft = policy?.status === 'draft';
  const create = useChange(retention.create, { success: 'successes.policySaved' });
  const update = useChange(retention.update, { success: 'successes.policySaved' });
  const form = useSchemaForm(policyDraft, draftOf(policy, places));
  const then = {
    onSuccess: (saved: Policy) => onSaved(saved.policyId),
    onError: (error: Error) => {
      if (error instanceof ApiError) showServerFaults(form, formFaults(error.fields));
    },
  };
  return (
    <Form
      form={form}
      label={titleOf(policy)}
      onSubmit={(draft) =>
        policy !== null && isDraft
          ? update.mutate({ params: { tenantId, policyId: policy.policyId }, body: bodyOf(draft) }, then)
          : create.mutate({ params: { tenantId }, body: { ...bodyOf(draft), replaces: policy?.policyId ?? null } }, then)
      }
    >
      {policy !== null && !isDraft && <Text>{text('retention.replaceHint')}</Text>}
      {policy === null && <Templates form={form} />}
      <Fields tenantId={tenantId} form={form} labels={policy?.labels ?? []} />
      <FormButtons isBusy={create.isPending || update.isPending} submit={text('retention.save')} onClose={onClose} />
    </Form>
  );
}

type PolicyFormState = ReturnType<typeof useSchemaForm<typeof policyDraft>>;

/** Common periods as a start; every field can be changed afterwards. */
function Templates({ form }: { readonly form: PolicyFormState }): ReactElement {
  const text = useText();
  return (
    <Stack>
      <Text>{text('retention.template')}</Text>
      <Row>
        {templateNames.map((template) => (
          <Button
            key={template}
            size="small"
            onClick={() => {
              const terms = {
                ...policyTemplates[template],
                name: text(`retention.templateNames.${template}`),
                anchor: 'received',
              } as const;
              for (const field of ['name', 'amount', 'unit', 'start', 'anchor'] as const)
                form.setValue(field, terms[field], { shouldDirty: true, shouldValidate: form.formState.isSubmitted });
            }}
          >
            {text(`retention.templates.${template}`)}
          </Button>
        ))}
      </Row>
      <Text size={200}>{text('retention.noAdvice')}</Text>
    </Stack>
  );
}

/** From when a period can count: files have no day of archiving, and another one than that of receipt. */
function useAnchors(areFiles: boolean, scope: PolicyDraft['scope'], chosen: PolicyDraft['anchor']) {
  const text = useText();
  const anchorOf = (value: (typeof retentionAnchors)[number]) => ({
    value,
    label: text(`retention.anchors.${value}`),
    hint: text(`retention.anchorHints.${value}`),
  });
  // A chosen anchor is offered even where it does not fit, because its error is shown beside it.
  const hasLabelling = scope === 'labels' || chosen === 'labelled';
  if (!areFiles) return retentionAnchors.filter((value) => value !== 'labelled' || hasLabelling).map(anchorOf);
  return [
    { value: 'received', label: text('retention.lastChange'), hint: text('retention.lastChangeHint') },
    { value: 'event', label: text('retention.anchors.event'), hint: text('retention.eventOnFiles') },
    ...(hasLabelling ? [anchorOf('labelled')] : []),
  ];
}

interface FieldsProps {
  readonly tenantId: string;
  readonly form: PolicyFormState;
  /** The labels that the policy is on. */
  readonly labels: Policy['labels'];
}

/** What a policy is on. One on files stays on files: its places come from the file manager. */
function ScopeFields({ tenantId, form, labels }: FieldsProps): ReactElement {
  const text = useText();
  const scope = useWatch({ control: form.control, name: 'scope' });
  if (scope === 'files') return <PlaceField name="places" />;
  return (
    <>
      <RadioField
        name="scope"
        label={text('retention.scope')}
        choices={policyScopes.map((value) => ({ value, label: text(`retention.scopes.${value}`) }))}
      />
      {scope === 'mailboxes' && <MailboxField tenantId={tenantId} name="mailboxes" />}
      {scope === 'attributes' && <AttributeFields tenantId={tenantId} form={form} />}
      {scope === 'search' && <SearchFields tenantId={tenantId} />}
      {scope === 'labels' && <LabelFields tenantId={tenantId} chosen={labels} />}
      <Text size={200}>{text('retention.filesHint')}</Text>
    </>
  );
}

/** How long a policy keeps and after how long it deletes. One on files keeps alone. */
function SpanFields({ form }: { readonly form: PolicyFormState }): ReactElement {
  const text = useText();
  const [rule, scope, searched] = useWatch({ control: form.control, name: ['rule', 'scope', 'searched'] });
  const areFiles = isOnFiles({ scope, searched });
  const units = retentionUnits.map((value) => ({ value, label: text(`retention.units.${value}`) }));
  return (
    <>
      {!areFiles && (
        <RadioField
          name="rule"
          label={text('retention.rule')}
          choices={policyRules.map((value) => ({
            value,
            label: text(`retention.rules.${value}`),
            hint: text(`retention.ruleHints.${value}`),
          }))}
        />
      )}
      {(areFiles || rule !== 'delete') && (
        <>
          <TextField name="amount" label={text('retention.amount')} type="number" inputMode="numeric" required />
          <SelectField name="unit" label={text('retention.unit')} choices={units} />
        </>
      )}
      {!areFiles && rule !== 'keep' && (
        <>
          <TextField name="maximumAmount" label={text('retention.maximumAmount')} type="number" inputMode="numeric" required />
          <SelectField name="maximumUnit" label={text('retention.maximumUnit')} choices={units} />
          <ReviewFields />
        </>
      )}
    </>
  );
}

function Fields({ tenantId, form, labels }: FieldsProps): ReactElement {
  const text = useText();
  const format = useFormat();
  const [anchor, start, scope, searched] = useWatch({ control: form.control, name: ['anchor', 'start', 'scope', 'searched'] });
  const anchors = useAnchors(isOnFiles({ scope, searched }), scope, anchor);
  return (
    <>
      <TextField name="name" label={text('common.name')} required />
      <SpanFields form={form} />
      <RadioField name="anchor" label={text('retention.anchor')} choices={anchors} />
      {anchor === 'event' && (
        <SelectField
          name="eventKind"
          label={text('retention.eventKind')}
          choices={retentionEventKinds.map((value) => ({ value, label: text(`retention.eventKinds.${value}`) }))}
        />
      )}
      <RadioField
        name="start"
        label={text('retention.start')}
        choices={retentionStarts.map((value) => ({ value, label: text(`retention.starts.${value}`) }))}
      />
      {start === 'fiscalYear' && (
        <SelectField
          name="fiscalYearEnd"
          label={text('retention.fiscalYearEnd')}
          choices={months.map((month) => ({ value: String(month), label: format.monthName(month) }))}
        />
      )}
      <ScopeFields tenantId={tenantId} form={form} labels={labels} />
    </>
  );
}
