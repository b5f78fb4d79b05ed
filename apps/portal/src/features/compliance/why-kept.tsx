import { Subtitle2 } from '@fluentui/react-components';
import type { compliance } from '@holdfast/contract/compliance';
import type { Grant, Kept, Share } from '@holdfast/contract/compliance-values';
import type { ResponseOf } from '@holdfast/contract/route';
import type { ReactElement } from 'react';
import { lastMomentOf } from '../../i18n/calendar-day.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { Facts, Stack } from '../../ui/layout.tsx';
import { useRoleText } from './use-role-text.ts';

/** What a deletion job keeps, in words. */
function useRuleText(): (rule: Kept['rules'][number]) => string {
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
function usePolicyText(): (policy: Kept['policies'][number]) => string {
  const text = useText();
  const format = useFormat();
  return ({ name, until }) =>
    until === null
      ? text('compliance.keptByEvent', { name })
      : text('compliance.keptByPolicy', { name, date: format.date(lastMomentOf(until)) });
}

function useShareText(): (share: Share) => string {
  const text = useText();
  const format = useFormat();
  return ({ audience, who, expiresAt }) => {
    const end = expiresAt === null ? text('compliance.endless') : text('compliance.until', { date: format.date(expiresAt) });
    return [text(`compliance.audiences.${audience}`), who, end].filter((part) => part !== '').join(', ');
  };
}

/** A right in words: who, or whom a link opens to, and what they may do. */
function useGrantText(): (grant: Grant) => string {
  const text = useText();
  const format = useFormat();
  const roleText = useRoleText();
  const scopes: Readonly<Record<string, string>> = {
    anonymous: text('compliance.audiences.anyone'),
    organization: text('compliance.audiences.organisation'),
  };
  return ({ who, role, link, isInherited, expiresAt }) => {
    const known = link === null ? undefined : (scopes[link] ?? text('compliance.linkHolders'));
    const people = [known, ...who].filter((name) => name !== undefined).join(', ') || text('compliance.unnamed');
    const notes = [
      isInherited ? text('compliance.inherited') : '',
      expiresAt === null ? '' : text('compliance.until', { date: format.date(expiresAt) }),
    ].filter((note) => note !== '');
    return `${people}: ${[roleText(role), ...notes].join(', ')}`;
  };
}

/** Why a file or folder is kept, and who can open it. */
export function WhyKept({ kept }: { readonly kept: ResponseOf<typeof compliance.kept> }): ReactElement {
  const text = useText();
  const format = useFormat();
  const ruleText = useRuleText();
  const policyText = usePolicyText();
  const shareText = useShareText();
  const grantText = useGrantText();
  const lines = (found: readonly string[], none: string): ReactElement => (
    <>
      {(found.length === 0 ? [none] : found).map((line) => (
        <div key={line}>{line}</div>
      ))}
    </>
  );
  const { points, oldestAt, newestAt } = kept;
  return (
    <Stack>
      <Subtitle2 as="h3">{text('compliance.whyKept')}</Subtitle2>
      <Facts
        items={[
          [text('restore.points'), text('compliance.inPoints', { count: points, from: format.date(oldestAt), to: format.date(newestAt) })],
          [
            text('compliance.held'),
            lines(
              kept.holds.map((hold) => text('compliance.heldBy', { name: hold.name, reason: hold.reason })),
              text('compliance.noHold'),
            ),
          ],
          [text('compliance.policies'), lines(kept.policies.map(policyText), text('compliance.noPolicy'))],
          [text('compliance.rules'), lines(kept.rules.map(ruleText), text('compliance.noRules'))],
          [text('compliance.audience'), lines(kept.shares.map(shareText), text('compliance.audienceNone'))],
          [text('compliance.permissions'), lines([...new Set(kept.grants.map(grantText))], text('compliance.audienceNone'))],
        ]}
      />
    </Stack>
  );
}
