import { MessageBar, MessageBarBody } from '@fluentui/react-components';
import { approvals, isOpenApproval } from '@holdfast/contract/approvals';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { useMay } from '../../api/portal-context.ts';
import { read } from '../../api/queries.ts';
import { useText } from '../../i18n/use-text.ts';
import { RouterLink } from '../../ui/router-link.tsx';

export interface ApprovalHintProps {
  readonly tenantId: string;
  /** What waits already; without it, what is about to be saved. */
  readonly subjectId?: string;
  /** Waiting for 24 hours is no way around the second person. */
  readonly isStrict?: boolean;
}

/**
 * Says before something is saved that it needs a second person and who that can be, and afterwards for
 * whom it waits. Locations and jobs show it; deciding is the business of the approvals page.
 */
export function ApprovalHint({ tenantId, subjectId, isStrict = false }: ApprovalHintProps): ReactElement | null {
  const text = useText();
  const may = useMay('deletion.manage');
  const { data } = useQuery({ ...read(approvals.list, { params: { tenantId }, quiet: true }), enabled: may });
  if (data === undefined) return null;
  const open = data.items.find((one) => one.subjectId === subjectId && isOpenApproval(one));
  if (subjectId !== undefined && open === undefined) return null;
  const people = (open?.waitsFor ?? data.secondPersons).join(', ');
  const needed = ['needs', isStrict ? 'needsSecond' : 'needsNobody'] as const;
  const [named, alone] = open === undefined ? needed : (['waits', 'waitsNobody'] as const);
  return (
    <MessageBar intent="warning" layout="multiline">
      <MessageBarBody>
        {people === '' ? text(`approvals.${alone}`) : text(`approvals.${named}`, { people })}{' '}
        {open !== undefined && <RouterLink to="/configuration/approvals">{text('approvals.open')}</RouterLink>}
      </MessageBarBody>
    </MessageBar>
  );
}
