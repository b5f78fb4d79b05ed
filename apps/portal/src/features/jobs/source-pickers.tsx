import type { Workload } from '@holdfast/contract/values';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useText } from '../../i18n/use-text.ts';
import { Stack } from '../../ui/layout.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { ChannelPicker } from './channel-picker.tsx';
import type { SourceKind } from './picker-kind.ts';
import { SourcePicker } from './source-picker.tsx';
import { TeamExpressionField } from './team-expression-field.tsx';

export interface SourcePickersProps {
  readonly tenantId: string;
  readonly locationId: string;
  readonly workload: Workload;
  readonly kinds: readonly [SourceKind, ...SourceKind[]];
  /** One field of the form for all kinds; each has its own without it. */
  readonly field?: string;
}

/** A picker for each kind of source, one at a time. */
export function SourcePickers({ tenantId, locationId, workload, kinds, field }: SourcePickersProps): ReactElement {
  const text = useText();
  const [chosen, setChosen] = useState(kinds[0]);
  const kind = kinds.includes(chosen) ? chosen : kinds[0];
  return (
    <Stack>
      {kinds.length > 1 && <Tabs names={kinds} selected={kind} word={(one) => text(`jobs.${one}`)} onSelect={setChosen} />}
      {kind === 'channels' && <ChannelPicker {...{ tenantId, locationId }} />}
      {kind === 'teamExpression' && <TeamExpressionField {...{ tenantId, locationId }} />}
      {kind !== 'channels' && kind !== 'teamExpression' && (
        <SourcePicker
          key={kind}
          name={field ?? kind}
          kind={kind}
          {...{ tenantId, locationId, workload }}
          label={text(`jobs.${kind}`)}
          {...(kind === 'members' ? { hint: text('jobs.membersHint') } : {})}
          {...(workload === 'teams' && kind === 'users' ? { hint: text('jobs.chatsHint') } : {})}
        />
      )}
    </Stack>
  );
}
