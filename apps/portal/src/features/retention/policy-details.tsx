import { Text } from '@fluentui/react-components';
import { policyEndBody, retention } from '@holdfast/contract/retention';
import type { Policy } from '@holdfast/contract/retention';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { usePortal } from '../../api/portal-context.ts';
import { useChange } from '../../api/queries.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { CommandBar, type Command } from '../../ui/command-bar.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { DetailDrawer } from '../../ui/detail-drawer.tsx';
import { TextAreaField } from '../../ui/fields.tsx';
import { FormButtons } from '../../ui/form-buttons.tsx';
import { Form, useSchemaForm } from '../../ui/form.tsx';
import { Facts } from '../../ui/layout.tsx';
import { ApprovalHint } from '../tenants/index.ts';
import { PreviewResult } from './policy-preview.tsx';
import { useRetentionWords } from './retention-words.ts';

export interface PolicyDetailsProps {
  readonly tenantId: string;
  readonly policy: Policy;
  /** Opens the form: of a draft itself, of a policy in force for one that replaces it. */
  readonly onEdit: () => void;
  readonly onClose: () => void;
}

type Asking = 'activate' | 'remove' | 'stop' | 'end' | null;

/** One policy in a drawer. */
export function PolicyDetails(props: PolicyDetailsProps): ReactElement {
  return (
    <DetailDrawer title={props.policy.name} isWide onClose={props.onClose}>
      <PolicyFacts {...props} />
    </DetailDrawer>
  );
}

/** One policy: its terms, what it keeps, and the way into force or to its end. */
export function PolicyFacts({ tenantId, policy, onEdit, onClose }: PolicyDetailsProps): ReactElement {
  const text = useText();
  const { clock } = usePortal();
  const [asking, setAsking] = useState<Asking>(null);
  const preview = useChange(retention.preview, { success: 'successes.policyPreviewed' });
  const params = { tenantId, policyId: policy.policyId };
  const isFresh = policy.preview !== null && Date.parse(policy.preview.validUntil) > clock.now();
  const commands = useCommands({
    policy,
    isFresh,
    isBusy: preview.isPending,
    onEdit,
    onAsk: setAsking,
    onPreview: () => preview.mutate({ params }),
  });
  return (
    <>
      {asking !== 'end' && <CommandBar commands={commands} />}
      {asking === 'end' && <EndForm tenantId={tenantId} policy={policy} onClose={() => setAsking(null)} />}
      {(policy.status === 'waiting' || policy.status === 'ending') && <ApprovalHint tenantId={tenantId} subjectId={policy.policyId} />}
      {policy.status === 'draft' && (
        <Text>{text(policy.preview === null || isFresh ? 'retention.previewHint' : 'retention.previewOld')}</Text>
      )}
      <Terms policy={policy} isCounted={preview.data !== undefined} />
      {preview.data !== undefined && <PreviewResult preview={preview.data} about={policy.about} />}
      <Question asking={asking} tenantId={tenantId} policy={policy} onClose={() => setAsking(null)} onRemoved={onClose} />
    </>
  );
}

interface CommandsOf {
  readonly policy: Policy;
  /** Whether its preview lets it come into force. */
  readonly isFresh: boolean;
  readonly isBusy: boolean;
  readonly onEdit: () => void;
  readonly onAsk: (asking: Asking) => void;
  readonly onPreview: () => void;
}

/** What can be done with a policy depends on how far it has come. */
function useCommands({ policy, isFresh, isBusy, onEdit, onAsk, onPreview }: CommandsOf): readonly Command[] {
  const text = useText();
  const again = text(policy.preview === null ? 'retention.preview' : 'retention.previewAgain');
  const preview: Command = {
    id: 'preview',
    label: again,
    run: onPreview,
    isDisabled: isBusy,
    isPrimary: policy.status === 'draft' && !isFresh,
  };
  const deletes = policy.maximum !== null && policy.stopped === null;
  const stop = deletes ? [{ id: 'stop', label: text('retention.stop'), run: () => onAsk('stop') }] : [];
  switch (policy.status) {
    case 'draft':
      return [
        ...(isFresh ? [{ id: 'activate', label: text('retention.activate'), run: () => onAsk('activate'), isPrimary: true }] : []),
        preview,
        { id: 'edit', label: text('retention.edit'), run: onEdit },
        { id: 'remove', label: text('retention.remove'), run: () => onAsk('remove') },
      ];
    case 'active':
      return [
        preview,
        { id: 'replace', label: text('retention.replace'), run: onEdit },
        ...stop,
        { id: 'end', label: text('retention.end'), run: () => onAsk('end') },
      ];
    case 'ending':
      return [preview, ...stop];
    case 'waiting':
      return [preview];
    case 'ended':
      return [];
  }
}

function Terms({ policy, isCounted }: { readonly policy: Policy; readonly isCounted: boolean }): ReactElement {
  const text = useText();
  const format = useFormat();
  const words = useRetentionWords();
  const { replaces, preview, activatedAt, stopped, endedAt, endReason } = policy;
  const stoppedBy = stopped && text('retention.stoppedBy', { at: format.dateTime(stopped.at), by: stopped.by });
  return (
    <Facts
      items={[
        [text('common.status'), text(`retention.statuses.${policy.status}`)],
        [text('retention.period'), words.period(policy)],
        ...(policy.start === 'fiscalYear' ? ([[text('retention.fiscalYearEnd'), format.monthName(policy.fiscalYearEnd)]] as const) : []),
        [text('retention.scope'), words.scope(policy)],
        ...words.changed(policy),
        ...policy.stages.map(
          ({ reviewers }, at) =>
            [text('retention.reviewersOf', { stage: at + 1 }), reviewers.map(({ email }) => email).join(', ')] as const,
        ),
        ...(replaces === null ? [] : ([[text('retention.replaces'), replaces.name]] as const)),
        ...(preview === null || isCounted ? [] : words.summary(preview, policy.about)),
        [text('retention.creator'), policy.creator],
        [text('retention.createdAt'), format.dateTime(policy.createdAt)],
        ...(activatedAt === null ? [] : ([[text('retention.activatedAt'), format.dateTime(activatedAt)]] as const)),
        ...(stoppedBy === null ? [] : ([[text('retention.stopped'), stoppedBy]] as const)),
        ...(endReason === null ? [] : ([[text('retention.endReason'), endReason]] as const)),
        ...(endedAt === null ? [] : ([[text('retention.endedAt'), format.dateTime(endedAt)]] as const)),
      ]}
    />
  );
}

interface AskingProps {
  readonly tenantId: string;
  readonly policy: Policy;
  readonly onClose: () => void;
}

/** What is asked before something happens. */
function Question({
  asking,
  onRemoved,
  ...of
}: AskingProps & { readonly asking: Asking; readonly onRemoved: () => void }): ReactElement | null {
  if (asking === 'activate') return <Activation {...of} />;
  if (asking === 'stop') return <Stop {...of} />;
  return asking === 'remove' ? <Removal {...of} onRemoved={onRemoved} /> : null;
}

function Activation({ tenantId, policy, onClose }: AskingProps): ReactElement {
  const text = useText();
  const format = useFormat();
  const activate = useChange(retention.activate, { success: 'successes.policyActivationAsked' });
  const { about, maximum, preview } = policy;
  const counts = { messages: format.count(preview?.kept.messages ?? 0), due: format.count(preview?.due.messages ?? 0) };
  const said = maximum === null ? 'activateText' : 'activateDeletes';
  return (
    <ConfirmDialog
      title={text('retention.activateTitle', { name: policy.name })}
      text={text(`retention.${about === 'files' ? 'activateFiles' : said}`, counts)}
      button={text('retention.activate')}
      busy={activate.isPending}
      onConfirm={() => activate.mutate({ params: { tenantId, policyId: policy.policyId } }, { onSuccess: onClose })}
      onClose={onClose}
    >
      <ApprovalHint tenantId={tenantId} isStrict={maximum !== null} />
    </ConfirmDialog>
  );
}

/** Stops the deletions of a policy: whoever sees that something is wrong need not ask anybody. */
function Stop({ tenantId, policy, onClose }: AskingProps): ReactElement {
  const text = useText();
  const stop = useChange(retention.stop, { success: 'successes.policyStopped' });
  return (
    <ConfirmDialog
      title={text('retention.stopTitle', { name: policy.name })}
      text={text('retention.stopText')}
      button={text('retention.stop')}
      busy={stop.isPending}
      onConfirm={() => stop.mutate({ params: { tenantId, policyId: policy.policyId } }, { onSuccess: onClose })}
      onClose={onClose}
    />
  );
}

function Removal({ tenantId, policy, onClose, onRemoved }: AskingProps & { readonly onRemoved: () => void }): ReactElement {
  const text = useText();
  const remove = useChange(retention.remove, { success: 'successes.policyRemoved' });
  return (
    <ConfirmDialog
      title={text('retention.removeTitle', { name: policy.name })}
      text={text('retention.removeText')}
      button={text('retention.remove')}
      destructive
      busy={remove.isPending}
      onConfirm={() => remove.mutate({ params: { tenantId, policyId: policy.policyId } }, { onSuccess: onRemoved })}
      onClose={onClose}
    />
  );
}

/** Asks for the end of a policy, with a reason. */
function EndForm({ tenantId, policy, onClose }: AskingProps): ReactElement {
  const text = useText();
  const end = useChange(retention.end, { success: 'successes.policyEndAsked' });
  const form = useSchemaForm(policyEndBody, { reason: '' });
  return (
    <Form
      form={form}
      label={text('retention.endTitle', { name: policy.name })}
      onSubmit={(body) => end.mutate({ params: { tenantId, policyId: policy.policyId }, body }, { onSuccess: onClose })}
    >
      <ApprovalHint tenantId={tenantId} />
      <TextAreaField name="reason" label={text('retention.endReason')} hint={text('retention.endText')} required />
      <FormButtons isBusy={end.isPending} submit={text('retention.end')} onClose={onClose} />
    </Form>
  );
}
