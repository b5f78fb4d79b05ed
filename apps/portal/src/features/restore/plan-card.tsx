import { Card, MessageBar, MessageBarBody, Subtitle2, Text } from '@fluentui/react-components';
import { restore } from '@holdfast/contract/restore';
import type { RestorePlan, RestoreSettings } from '@holdfast/contract/restore';
import { useQuery } from '@tanstack/react-query';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { read } from '../../api/queries.ts';
import { useCodeText } from '../../i18n/use-code-text.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { FailedState } from '../../ui/empty-state.tsx';
import { Facts } from '../../ui/layout.tsx';
import { LoadingShape } from '../../ui/loading-shape.tsx';
import { meetsOthers } from './target-draft.ts';

export interface PlanCardProps {
  /** Null while the entries are not complete. */
  readonly settings: RestoreSettings | null;
  readonly plan: UseQueryResult<RestorePlan>;
}

/** What a restore would do; asked as soon as the entries are complete. */
export function usePlan(
  { tenantId, locationId }: { readonly tenantId: string; readonly locationId: string },
  settings: RestoreSettings | null,
): UseQueryResult<RestorePlan> {
  const reason = { reason: settings?.reason ?? '' };
  const body = { locationId, restore: { ...settings, ...reason } as RestoreSettings };
  return useQuery({ ...read(restore.plan, { params: { tenantId }, body, quiet: true }), enabled: settings !== null });
}

/** The dry run: nothing is written, everything is counted. */
export function PlanCard({ settings, plan }: PlanCardProps): ReactElement {
  const text = useText();
  return (
    <Card>
      <Subtitle2 as="h2">{text('restore.dryRun')}</Subtitle2>
      {plan.isFetching && plan.data === undefined && <LoadingShape rows={4} />}
      {plan.isError && <FailedState error={plan.error} onRetry={() => void plan.refetch()} />}
      {plan.data !== undefined && <Plan plan={plan.data} hasCollisions={settings === null || meetsOthers(settings.target.kind)} />}
      <Text>{text('restore.noInvitations')}</Text>
    </Card>
  );
}

interface PlanProps {
  readonly plan: RestorePlan;
  readonly hasCollisions: boolean;
}

function Plan({ plan, hasCollisions }: PlanProps): ReactElement {
  const text = useText();
  const format = useFormat();
  const codeText = useCodeText();
  const kinds = plan.byKind.map(({ kind, count }) => `${codeText(kind)}: ${format.count(count)}`).join(', ');
  const unknown = plan.unknown === 0 ? null : text('restore.planUnknown', { count: plan.unknown, items: format.count(plan.unknown) });
  const collisions = unknown === null ? format.count(plan.collisions) : `${format.count(plan.collisions)}, ${unknown}`;
  // Sentences elsewhere: here each is followed by how often.
  const limit = (code: string): string => codeText(code).replace(/\.$/u, '');
  const missing = plan.notRestorable.map(({ code, count }) => `${limit(code)} (${format.count(count)})`).join('; ');
  return (
    <>
      <Facts
        items={[
          [text('restore.planItems'), format.count(plan.items)],
          [text('restore.planBytes'), format.bytes(plan.bytes)],
          [text('restore.planKinds'), kinds || '–'],
          ...(hasCollisions ? ([[text('restore.planCollisions'), collisions]] as const) : []),
          [text('restore.planDuration'), plan.expectedSeconds === null ? '–' : format.duration(plan.expectedSeconds * 1000)],
          [text('restore.planMissing'), missing || '–'],
        ]}
      />
      {plan.missingRoles.length > 0 && (
        <MessageBar intent="warning" layout="multiline">
          <MessageBarBody>{text('restore.planRoles', { roles: plan.missingRoles.join(', ') })}</MessageBarBody>
        </MessageBar>
      )}
    </>
  );
}
