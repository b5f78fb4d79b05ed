import { holdReleaseBody, holds } from '@holdfast/contract/holds';
import type { GuardedByHold, Hold } from '@holdfast/contract/holds';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useMay } from '../../api/portal-context.ts';
import { useChange } from '../../api/queries.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { CommandBar } from '../../ui/command-bar.tsx';
import { DetailDrawer } from '../../ui/detail-drawer.tsx';
import { TextAreaField } from '../../ui/fields.tsx';
import { FormButtons } from '../../ui/form-buttons.tsx';
import { Form, useSchemaForm } from '../../ui/form.tsx';
import { Facts } from '../../ui/layout.tsx';
import { NoticesOfHold } from '../hold-notices/index.ts';
import { ApprovalHint } from '../tenants/index.ts';
import { useHoldWords } from './hold-words.ts';

export interface HoldDetailsProps {
  readonly tenantId: string;
  readonly hold: Hold;
  /** What it guards now, where that is known. */
  readonly guarded?: GuardedByHold | undefined;
  readonly onClose: () => void;
}

/** One hold: what it keeps, who placed it and why, and how it ends. */
export function HoldDetails({ tenantId, hold, guarded, onClose }: HoldDetailsProps): ReactElement {
  const text = useText();
  const format = useFormat();
  const words = useHoldWords();
  const mayEnd = useMay('deletion.manage');
  const [isEnding, setEnding] = useState(false);
  return (
    <DetailDrawer title={hold.name} isWide onClose={onClose}>
      {mayEnd && hold.status === 'active' && !isEnding && (
        <CommandBar commands={[{ id: 'release', label: text('holds.release'), run: () => setEnding(true) }]} />
      )}
      {isEnding && <ReleaseForm tenantId={tenantId} hold={hold} onClose={() => setEnding(false)} />}
      {mayEnd && hold.status === 'releasing' && <ApprovalHint tenantId={tenantId} subjectId={hold.holdId} />}
      <Facts
        items={[
          [text('common.status'), text(`holds.${hold.status}`)],
          [text('holds.on'), words.on(hold)],
          ...(hold.heldItems.length === 0 ? [] : [[text('holds.heldItems'), hold.heldItems.map(({ name }) => name).join(', ')] as const]),
          ...(hold.search === null ? [] : [[text('search.saved.query'), hold.search.query] as const]),
          [text('holds.reason'), hold.reason],
          [text('restore.points'), words.period(hold)],
          ...(guarded === undefined ? [] : words.guarded(guarded)),
          [text('holds.placer'), hold.placer],
          [text('holds.placedAt'), format.dateTime(hold.placedAt)],
          [text('holds.releaseReason'), hold.releaseReason ?? '–'],
          [text('holds.releasedAt'), format.dateTime(hold.releasedAt)],
        ]}
      />
      {mayEnd && <NoticesOfHold tenantId={tenantId} holdId={hold.holdId} isInForce={hold.status !== 'released'} />}
    </DetailDrawer>
  );
}

/** Asks for the end of a hold, with a reason. */
function ReleaseForm({ tenantId, hold, onClose }: Omit<HoldDetailsProps, 'guarded'>): ReactElement {
  const text = useText();
  const release = useChange(holds.release, { success: 'successes.holdReleaseAsked' });
  const form = useSchemaForm(holdReleaseBody, { reason: '' });
  const title = text('holds.releaseTitle', { name: hold.name });
  return (
    <Form
      form={form}
      label={title}
      onSubmit={(body) => release.mutate({ params: { tenantId, holdId: hold.holdId }, body }, { onSuccess: onClose })}
    >
      <ApprovalHint tenantId={tenantId} />
      <TextAreaField name="reason" label={text('holds.releaseReason')} hint={text('holds.releaseText')} required />
      <FormButtons isBusy={release.isPending} submit={text('holds.release')} onClose={onClose} />
    </Form>
  );
}
