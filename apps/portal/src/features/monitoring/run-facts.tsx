import { Card, Subtitle2 } from '@fluentui/react-components';
import type { RunDetails } from '@holdfast/contract/monitoring';
import type { ReactElement } from 'react';
import type { PhraseKey } from '../../i18n/phrase-key.ts';
import { useCodeText } from '../../i18n/use-code-text.ts';
import { useRestoreRecipient } from '../../i18n/use-restore-recipient.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { Facts, Split } from '../../ui/layout.tsx';
import { Moment, useNow } from '../../ui/moment.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { useDefect } from './run-columns.tsx';
import { RunProgress } from './run-progress.tsx';

const triggerNames: Readonly<Record<RunDetails['trigger'], PhraseKey>> = {
  schedule: 'monitoring.triggerSchedule',
  manual: 'monitoring.triggerManual',
  creation: 'monitoring.triggerCreation',
  catchUp: 'monitoring.triggerCatchUp',
};

function durationOf(from: string | null, to: string | null, now: number): number | null {
  return from === null ? null : (to === null ? now : Date.parse(to)) - Date.parse(from);
}

/** How long a run was in each of its stages; to most it comes back with each resource. */
function stageDurations({ stages, endedAt }: RunDetails, now: number): readonly (readonly [stage: string, ms: number])[] {
  const sums = new Map<string, number>();
  for (const { stage, startedAt, endedAt: left } of stages)
    sums.set(stage, (sums.get(stage) ?? 0) + (durationOf(startedAt, left ?? endedAt, now) ?? 0));
  return [...sums];
}

const awaited = [
  ['microsoft', 'monitoring.waitedForMicrosoft'],
  ['storage', 'monitoring.waitedForStorage'],
  ['database', 'monitoring.waitedForDatabase'],
] as const satisfies readonly (readonly [keyof RunDetails['waited'], PhraseKey])[];

/** How long some part of a run waited for what was away, where that is worth a line. */
function useWaitedFacts({ waited }: RunDetails): readonly (readonly [string, string])[] {
  const text = useText();
  const format = useFormat();
  return awaited.filter(([what]) => waited[what] >= 1_000).map(([what, phrase]) => [text(phrase), format.duration(waited[what])]);
}

/** Of a restore: what, to whom and why. */
function useRestoreFacts({ restore }: RunDetails): readonly (readonly [string, string])[] {
  const text = useText();
  const recipientOf = useRestoreRecipient();
  if (restore === null) return [];
  const { source, reason } = restore;
  return [
    [text('restore.source'), source || '–'],
    [text('restore.recipient'), recipientOf(restore)],
    [text('restore.reason'), reason || '–'],
  ];
}

/** What is known of a run as a whole: progress, figures, stages with their durations. */
export function RunFacts({ run }: { readonly run: RunDetails }): ReactElement {
  const text = useText();
  const format = useFormat();
  const codeText = useCodeText();
  const defect = useDefect();
  const now = useNow(1_000);
  const { counts } = run;
  const restoreFacts = useRestoreFacts(run);
  const waitedFacts = useWaitedFacts(run);
  const waitingFacts: readonly (readonly [string, ReactElement])[] = run.waiting
    ? [
        [text('monitoring.waiting'), <span key="code">{codeText(run.waiting.code)}</span>],
        [text('monitoring.waitingSince'), <Moment key="since" at={run.waiting.since} />],
      ]
    : [];
  const remaining = run.remainingSeconds === null ? '–' : format.duration(run.remainingSeconds * 1000);
  return (
    <Split>
      <Card>
        <StatusBadge status={run.status} detail={defect(run)} />
        <Facts
          items={[
            [text('monitoring.processed'), <RunProgress key="progress" run={run} />],
            ...waitingFacts,
            [text('monitoring.trigger'), text(triggerNames[run.trigger])],
            [text('monitoring.startedBy'), run.startedBy ?? '–'],
            ...restoreFacts,
            [text('monitoring.startedAt'), <Moment key="start" at={run.startedAt} />],
            [text('monitoring.duration'), format.duration(durationOf(run.startedAt, run.endedAt, now))],
            ...waitedFacts,
            [text('monitoring.remaining'), remaining],
            [text('monitoring.worker'), run.worker ?? '–'],
          ]}
        />
        <Subtitle2 as="h2">{text('monitoring.stages')}</Subtitle2>
        <Facts items={stageDurations(run, now).map(([stage, ms]) => [codeText(stage), format.duration(ms)])} />
      </Card>
      <Card>
        <Facts
          items={[
            [text('monitoring.added'), format.count(counts.added)],
            [text('monitoring.changed'), format.count(counts.changed)],
            [text('monitoring.removed'), format.count(counts.removed)],
            [text('monitoring.unchanged'), format.count(counts.unchanged)],
            [text('monitoring.excluded'), format.count(run.excluded)],
            [text('monitoring.errors'), format.count(run.errors)],
            [text('monitoring.bytes'), format.bytes(run.bytes)],
            [text('monitoring.newBytes'), format.bytes(run.newBytes)],
            [text('monitoring.storedBytes'), format.bytes(run.storedBytes)],
          ]}
        />
      </Card>
    </Split>
  );
}
