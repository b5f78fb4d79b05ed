import { Subtitle2 } from '@fluentui/react-components';
import type { KeptItem } from '@holdfast/contract/compliance-values';
import type { ReactElement, ReactNode } from 'react';
import { lastMomentOf } from '../../i18n/calendar-day.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { Facts, Stack } from '../../ui/layout.tsx';

/** What a deletion job keeps, in words. */
function useRuleText(): (rule: KeptItem['rules'][number]) => string {
  const text = useText();
  const format = useFormat();
  return ({ jobName, retention, until }) => {
    switch (retention.mode) {
      case 'days':
        if (until !== null) return text('compliance.keptUntil', { jobName, date: format.date(until) });
        return text('compliance.keptDays', { jobName, days: retention.days });
      case 'count':
        return text('compliance.keptCount', { jobName, count: retention.count });
      case 'gfs':
        return text('compliance.keptParts', { jobName });
      case 'all':
        return text('compliance.keptAll', { jobName });
    }
  };
}

/** A policy and the last day on which it keeps something of the item. */
function usePolicyText(): (policy: KeptItem['policies'][number]) => string {
  const text = useText();
  const format = useFormat();
  return ({ name, until }) =>
    until === null
      ? text('compliance.keptByEvent', { name })
      : text('compliance.keptByPolicy', { name, date: format.date(lastMomentOf(until)) });
}

/** A policy and the last day before it deletes the item, or has it reviewed. */
function useDeletionText(): (policy: KeptItem['deletedBy'][number]) => string {
  const text = useText();
  const format = useFormat();
  return ({ name, from, isReviewed }) => {
    if (from === null) return text('compliance.deletedByEvent', { name });
    return text(isReviewed ? 'compliance.reviewedByPolicy' : 'compliance.deletedByPolicy', { name, date: format.date(lastMomentOf(from)) });
  };
}

/** Lines of a fact; what is said where there is none. */
export function factLines(found: readonly string[], none: string): ReactElement {
  return (
    <>
      {(found.length === 0 ? [none] : found).map((line) => (
        <div key={line}>{line}</div>
      ))}
    </>
  );
}

type Fact = readonly [string, ReactNode];

interface KeptFactsProps {
  readonly kept: Omit<KeptItem, 'deletedBy'> & Partial<Pick<KeptItem, 'deletedBy'>>;
  /** What else there is to know of a file. */
  readonly more?: readonly Fact[];
}

/** Why an item is kept, and until when. */
export function KeptFacts({ kept, more = [] }: KeptFactsProps): ReactElement {
  const text = useText();
  const format = useFormat();
  const ruleText = useRuleText();
  const policyText = usePolicyText();
  const deletionText = useDeletionText();
  const { points, oldestAt, newestAt, holds, policies, rules, deletedBy = [] } = kept;
  const holdText = ({ name, reason }: KeptItem['holds'][number]): string =>
    reason === null ? text('compliance.heldByName', { name }) : text('compliance.heldBy', { name, reason });
  return (
    <Stack>
      <Subtitle2 as="h3">{text('compliance.whyKept')}</Subtitle2>
      <Facts
        items={[
          [text('restore.points'), text('compliance.inPoints', { count: points, from: format.date(oldestAt), to: format.date(newestAt) })],
          [text('compliance.held'), factLines(holds.map(holdText), text('compliance.noHold'))],
          [
            text('compliance.policies'),
            factLines([...policies.map(policyText), ...deletedBy.map(deletionText)], text('compliance.noPolicy')),
          ],
          [text('compliance.rules'), factLines(rules.map(ruleText), text('compliance.noRules'))],
          ...more,
        ]}
      />
    </Stack>
  );
}
