import { makeStyles, Text, tokens } from '@fluentui/react-components';
import { retention } from '@holdfast/contract/retention';
import type { Policy, PolicyPlace } from '@holdfast/contract/retention';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { ReactElement, ReactNode } from 'react';
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
import { PolicyFacts } from './policy-details.tsx';
import { PolicyEntries, usePolicyTitle } from './policy-form.tsx';

export interface PutUnderRetentionProps extends RetainedPlace {
  readonly tenantId: string;
  readonly onClose: () => void;
}

/** Policies on chosen files that can take more: drafts, and those in force that no draft is about to replace. */
function openPolicies(policies: readonly Policy[]): readonly Policy[] {
  const replaced = new Set(policies.filter(({ endedAt }) => endedAt === null).map(({ replaces }) => replaces?.policyId));
  return policies.filter(
    ({ about, places, status, policyId }) =>
      about === 'files' && places.length > 0 && (status === 'draft' || (status === 'active' && !replaced.has(policyId))),
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

/** The content of the drawer, as far as the policies are known. */
type Shown =
  | { readonly at: 'choice'; readonly policies: readonly Policy[] }
  | { readonly at: 'form'; readonly policy: Policy | null }
  | { readonly at: 'saved'; readonly policy: Policy }
  | { readonly at: 'unknown' };

function shownAt(step: Step, all: readonly Policy[] | undefined): Shown {
  if (step.at === 'form') return step;
  if (all === undefined) return { at: 'unknown' };
  if (step.at === 'saved') {
    const policy = all.find(({ policyId }) => policyId === step.policyId);
    return policy === undefined ? { at: 'unknown' } : { at: 'saved', policy };
  }
  const policies = openPolicies(all);
  // With nothing to choose from the form of a new one comes first.
  return policies.length === 0 ? { at: 'form', policy: null } : { at: 'choice', policies };
}

/**
 * Brings a site, or files and folders of it, under a policy: one that is there, or a new one; then its preview and activation. All in one
 * drawer: one that takes the place of another can be hidden from readers.
 */
export function PutUnderRetention({ tenantId, resource, items, onClose }: PutUnderRetentionProps): ReactElement {
  const text = useText();
  const words = useHoldWords();
  const titleOf = usePolicyTitle();
  const list = useQuery(read(retention.list, { params: { tenantId }, quiet: true }));
  const [step, setStep] = useState<Step>({ at: 'choice' });
  const shown = shownAt(step, list.data?.items);
  // The form stays when the list is read again: it has what is saved before the answer to the save is there.
  if (step.at === 'choice' && shown.at === 'form') setStep({ at: 'form', policy: null });
  const putting = text('retention.putTitle', { name: items.length === 0 ? resource.name : words.items(items) });
  const title = shown.at === 'form' ? titleOf(shown.policy) : shown.at === 'saved' ? shown.policy.name : putting;
  const save = (policyId: string): void => {
    setStep({ at: 'saved', policyId });
    void list.refetch();
  };
  const edit = (policy: Policy | null): void => setStep({ at: 'form', policy });
  const unknown = list.isError ? <FailedState error={list.error} onRetry={() => void list.refetch()} /> : <LoadingShape rows={4} />;
  return (
    <DetailDrawer title={title} isWide={shown.at === 'saved'} onClose={onClose}>
      <StepFrame key={shown.at} title={title}>
        {shown.at === 'unknown' && unknown}
        {shown.at === 'choice' && <ChoiceForm label={putting} policies={shown.policies} onChoose={edit} onClose={onClose} />}
        {shown.at === 'form' && (
          <PolicyEntries
            tenantId={tenantId}
            policy={shown.policy}
            places={placesOf({ resource, items })}
            onSaved={save}
            onClose={onClose}
          />
        )}
        {shown.at === 'saved' && (
          <PolicyFacts tenantId={tenantId} policy={shown.policy} onEdit={() => edit(shown.policy)} onClose={onClose} />
        )}
      </StepFrame>
    </DetailDrawer>
  );
}

const useStyles = makeStyles({ step: { display: 'flex', flexDirection: 'column', gap: tokens.spacingVerticalL, outlineStyle: 'none' } });

/** Takes the focus when the button that led here is gone: outside of the drawer Escape would not reach it. */
function StepFrame({ title, children }: { readonly title: string; readonly children: ReactNode }): ReactElement {
  const styles = useStyles();
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (document.activeElement === document.body) frame.current?.focus();
  }, []);
  return (
    <div ref={frame} className={styles.step} role="group" aria-label={title} tabIndex={-1}>
      {children}
    </div>
  );
}

interface ChoiceFormProps {
  readonly label: string;
  readonly policies: readonly Policy[];
  /** Null for a new one. */
  readonly onChoose: (policy: Policy | null) => void;
  readonly onClose: () => void;
}

const choice = z.object({ into: z.string() });

/** Which policy takes it. */
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
