import { MessageBar, MessageBarBody, Text } from '@fluentui/react-components';
import { deletions } from '@holdfast/contract/deletions';
import type { DeletionDetails } from '@holdfast/contract/deletions';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { hasStatus } from '../../api/api-error.ts';
import { read } from '../../api/queries.ts';
import { nameWithAddress } from '../../i18n/name-with-address.ts';
import { useCodeText } from '../../i18n/use-code-text.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { CommandBar } from '../../ui/command-bar.tsx';
import { DetailDrawer, NothingThere } from '../../ui/detail-drawer.tsx';
import { FailedState } from '../../ui/empty-state.tsx';
import { Facts } from '../../ui/layout.tsx';
import { DeletionDialog, type DeletionStep } from './deletion-dialog.tsx';
import { useDeletionCommands } from './deletion-commands.tsx';
import { DeletionPlaces } from './deletion-places.tsx';
import { Mentions } from './mentions.tsx';
import { RejectionForm } from './rejection-form.tsx';
import { Tombstones } from './tombstones.tsx';

interface MessageDeletionDetailsProps {
  readonly tenantId: string;
  readonly deletionId: string;
  readonly onClose: () => void;
}

const POLL_MS = 5_000;

/** One deletion: what it would delete or has deleted, what is kept by what, who decides, and where copies remain. */
export function MessageDeletionDetails({ tenantId, deletionId, onClose }: MessageDeletionDetailsProps): ReactElement | null {
  const text = useText();
  const { data, error, refetch } = useQuery({
    ...read(deletions.get, { params: { tenantId, deletionId }, quiet: true }),
    refetchInterval: (query) => (query.state.data?.state === 'running' ? POLL_MS : false),
  });
  if (hasStatus(error, 404)) return <NothingThere onClose={onClose} />;
  // A single failed request hides nothing that is known already.
  if (data !== undefined) return <Opened tenantId={tenantId} deletion={data} onClose={onClose} />;
  if (error === null) return null;
  return (
    <DetailDrawer title={text('approvals.kindMessageDeletion')} onClose={onClose}>
      <FailedState error={error} onRetry={() => void refetch()} />
    </DetailDrawer>
  );
}

interface OpenedProps {
  readonly tenantId: string;
  readonly deletion: DeletionDetails;
  readonly onClose: () => void;
}

function Opened({ tenantId, deletion, onClose }: OpenedProps): ReactElement {
  const text = useText();
  const [asking, setAsking] = useState<DeletionStep | null>(null);
  const commands = useDeletionCommands({ tenantId, deletion, onAsk: setAsking });
  const { state, returned, returnedBy, erased } = deletion;
  const close = (): void => setAsking(null);
  return (
    <DetailDrawer title={deletion.query} isWide onClose={onClose}>
      {asking === 'reject' && deletion.approval !== null ? (
        <RejectionForm tenantId={tenantId} approvalId={deletion.approval.approvalId} onClose={close} />
      ) : (
        commands.length > 0 && <CommandBar commands={commands} />
      )}
      {returned !== null && (
        <MessageBar intent="warning" layout="multiline">
          <MessageBarBody>{text(`deletions.returned.${returned}`, { by: returnedBy ?? '' })}</MessageBarBody>
        </MessageBar>
      )}
      {(state === 'draft' || state === 'waiting') && <Outlook deletion={deletion} />}
      <Terms deletion={deletion} />
      <DeletionPlaces deletion={deletion} />
      {deletion.person !== null && <Mentions tenantId={tenantId} deletion={deletion} />}
      {erased.messages > 0 && <Tombstones tenantId={tenantId} deletionId={deletion.deletionId} />}
      {asking !== null && asking !== 'reject' && (
        <DeletionDialog step={asking} tenantId={tenantId} deletion={deletion} onClose={close} onGone={onClose} />
      )}
    </DetailDrawer>
  );
}

/** What would go, and what stays: the sentence that the two people decide about. */
function Outlook({ deletion: { listed, kept } }: { readonly deletion: DeletionDetails }): ReactElement {
  const text = useText();
  const format = useFormat();
  const going = listed.messages - kept.messages;
  if (going <= 0) {
    return (
      <MessageBar intent="warning" layout="multiline">
        <MessageBarBody>{text('deletions.allKept')}</MessageBarBody>
      </MessageBar>
    );
  }
  const words = { messages: format.count(going), listed: format.count(listed.messages), kept: format.count(kept.messages) };
  return <Text weight="semibold">{text('deletions.willDelete', words)}</Text>;
}

function Terms({ deletion }: { readonly deletion: DeletionDetails }): ReactElement {
  const text = useText();
  const format = useFormat();
  const codeText = useCodeText();
  const { state, approval, listed, kept, erased, gone, notArchived, code } = deletion;
  const said = (label: string, value: string | null): readonly (readonly [string, string])[] => (value === null ? [] : [[label, value]]);
  const moment = (label: string, at: string | null) => said(label, at === null ? null : format.dateTime(at));
  const waits = state === 'waiting' && approval !== null ? approval.waitsFor.join(', ') || text('deletions.nobody') : null;
  const count = (label: string, value: number) => said(label, value === 0 ? null : format.count(value));
  return (
    <Facts
      items={[
        [text('common.status'), text(`deletions.states.${state}`)],
        ...said(text('deletions.code'), code === null ? null : codeText(code)),
        ...said(text('deletions.waitsFor'), waits),
        ...said(text('deletions.person'), deletion.person === null ? null : nameWithAddress(deletion.person)),
        [text('deletions.basis'), text(`deletions.bases.${deletion.basis}`)],
        [text('deletions.reason'), deletion.reason],
        [text('deletions.messages'), format.count(listed.messages)],
        [text('deletions.size'), format.bytes(listed.bytes)],
        ...count(text('deletions.keptCount'), kept.messages),
        ...count(text('deletions.erasedCount'), erased.messages),
        ...count(text('deletions.gone'), gone),
        ...count(text('deletions.notArchived'), notArchived),
        ...said(text('deletions.byPolicy'), deletion.policyId === null ? null : text('deletions.byPolicyName', { name: deletion.query })),
        [text('deletions.requester'), deletion.requester],
        [text('deletions.createdAt'), format.dateTime(deletion.createdAt)],
        [text('deletions.previewedAt'), format.dateTime(deletion.previewedAt)],
        ...said(text(state === 'rejected' ? 'deletions.decider' : 'deletions.approver'), deletion.approver),
        ...said(text('deletions.rejection'), deletion.rejection),
        ...moment(text('deletions.decidedAt'), deletion.decidedAt),
        ...moment(text('deletions.dueAt'), deletion.dueAt),
        ...moment(text('deletions.endedAt'), deletion.endedAt),
      ]}
    />
  );
}
