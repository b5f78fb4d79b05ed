import { Text } from '@fluentui/react-components';
import { retention } from '@holdfast/contract/retention';
import type { Policy, PolicyPlace } from '@holdfast/contract/retention';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { z } from 'zod';
import { read } from '../../api/queries.ts';
import { useText } from '../../i18n/use-text.ts';
import { RadioField } from '../../ui/choice-fields.tsx';
import { DetailDrawer } from '../../ui/detail-drawer.tsx';
import { FailedState } from '../../ui/empty-state.tsx';
import { FormButtons } from '../../ui/form-buttons.tsx';
import { Form, useSchemaForm } from '../../ui/form.tsx';
import { LoadingShape } from '../../ui/loading-shape.tsx';
import { useHoldWords } from '../holds/index.ts';
import type { RetainedPlace } from './event-form.tsx';
import { PolicyDetails } from './policy-details.tsx';
import { PolicyForm } from './policy-form.tsx';

export interface PutUnderRetentionProps extends RetainedPlace {
  readonly tenantId: string;
  readonly onClose: () => void;
}

/** Policies on files that can take more: drafts, and those in force that no draft is about to replace. */
function openPolicies(policies: readonly Policy[]): readonly Policy[] {
  const replaced = new Set(policies.filter(({ endedAt }) => endedAt === null).map(({ replaces }) => replaces?.policyId));
  return policies.filter(
    ({ about, status, policyId }) => about === 'files' && (status === 'draft' || (status === 'active' && !replaced.has(policyId))),
  );
}

function placesOf({ resource, items }: RetainedPlace): readonly PolicyPlace[] {
  const site = { resourceId: resource.resourceId, resourceName: resource.name };
  if (items.length === 0) return [{ ...site, nodeId: null, name: '', isContainer: true }];
  return items.map(({ nodeId, name, isContainer }) => ({ ...site, nodeId, name, isContainer }));
}

/** How far it has come: which policy takes it is asked, its form is filled in, or it is saved and shown with its preview. */
type Step =
  | { readonly at: 'choice' }
  | { readonly at: 'form'; readonly policy: Policy | null }
  | { readonly at: 'saved'; readonly policyId: string };

/** Brings a site, or files and folders of it, under a policy: one that is there, or a new one; then its preview and activation. */
export function PutUnderRetention({ tenantId, resource, items, onClose }: PutUnderRetentionProps): ReactElement {
  const list = useQuery(read(retention.list, { params: { tenantId }, quiet: true }));
  const [step, setStep] = useState<Step>({ at: 'choice' });
  const all = list.data?.items;
  const policies = all && openPolicies(all);
  // With nothing to choose from the form of a new one comes first.
  const now: Step = step.at === 'choice' && policies?.length === 0 ? { at: 'form', policy: null } : step;
  if (now.at === 'form') {
    const save = (policyId: string): void => {
      setStep({ at: 'saved', policyId });
      void list.refetch();
    };
    return <PolicyForm tenantId={tenantId} policy={now.policy} places={placesOf({ resource, items })} onSaved={save} onClose={onClose} />;
  }
  const saved = now.at === 'saved' ? all?.find(({ policyId }) => policyId === now.policyId) : undefined;
  if (saved !== undefined) {
    const edit = (): void => setStep({ at: 'form', policy: saved });
    return <PolicyDetails tenantId={tenantId} policy={saved} onEdit={edit} onClose={onClose} />;
  }
  return (
    <PolicyChoice
      place={{ resource, items }}
      policies={now.at === 'choice' ? policies : undefined}
      failure={list.isError ? { error: list.error, retry: () => void list.refetch() } : null}
      onChoose={(policy) => setStep({ at: 'form', policy })}
      onClose={onClose}
    />
  );
}

interface PolicyChoiceProps {
  readonly place: RetainedPlace;
  /** Undefined until they are known. */
  readonly policies: readonly Policy[] | undefined;
  readonly failure: { readonly error: Error; readonly retry: () => void } | null;
  /** Null for a new one. */
  readonly onChoose: (policy: Policy | null) => void;
  readonly onClose: () => void;
}

/** Which policy takes it. */
function PolicyChoice({ place: { resource, items }, policies, failure, onChoose, onClose }: PolicyChoiceProps): ReactElement {
  const text = useText();
  const words = useHoldWords();
  const title = text('retention.putTitle', { name: items.length === 0 ? resource.name : words.items(items) });
  return (
    <DetailDrawer title={title} onClose={onClose}>
      {failure !== null && <FailedState error={failure.error} onRetry={failure.retry} />}
      {failure === null && policies === undefined && <LoadingShape rows={4} />}
      {policies !== undefined && <ChoiceForm label={title} policies={policies} onChoose={onChoose} onClose={onClose} />}
    </DetailDrawer>
  );
}

interface ChoiceFormProps extends Pick<PolicyChoiceProps, 'onChoose' | 'onClose'> {
  readonly label: string;
  readonly policies: readonly Policy[];
}

const choice = z.object({ into: z.string() });

function ChoiceForm({ label, policies, onChoose, onClose }: ChoiceFormProps): ReactElement {
  const text = useText();
  const form = useSchemaForm(choice, { into: policies[0]?.policyId ?? 'new' });
  const choices = policies.map(({ policyId, name, status }) => ({
    value: policyId,
    label: text(status === 'draft' ? 'retention.putIntoDraft' : 'retention.putIntoActive', { name }),
  }));
  return (
    <Form form={form} label={label} onSubmit={({ into }) => onChoose(policies.find(({ policyId }) => policyId === into) ?? null)}>
      <Text>{text('retention.putLead')}</Text>
      <RadioField
        name="into"
        label={text('retention.putInto')}
        choices={[...choices, { value: 'new', label: text('retention.putIntoNew') }]}
      />
      <FormButtons isBusy={false} submit={text('retention.next')} onClose={onClose} />
    </Form>
  );
}
