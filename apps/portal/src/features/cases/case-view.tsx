import { MessageBar, MessageBarBody } from '@fluentui/react-components';
import { cases } from '@holdfast/contract/cases';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useNavigate } from 'react-router';
import { useMay } from '../../api/portal-context.ts';
import { read } from '../../api/queries.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { CommandBar } from '../../ui/command-bar.tsx';
import { FailedState } from '../../ui/empty-state.tsx';
import { Facts, Stack } from '../../ui/layout.tsx';
import { LoadingShape } from '../../ui/loading-shape.tsx';
import { Page } from '../../ui/page.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { CaseCustodians } from './case-custodians.tsx';
import { CaseExports } from './case-exports.tsx';
import { CaseFiles } from './case-files.tsx';
import { CaseForm } from './case-form.tsx';
import { CaseHolds } from './case-holds.tsx';
import { CaseLog } from './case-log.tsx';
import { CaseMembers } from './case-members.tsx';
import { CaseQueries } from './case-queries.tsx';
import { CaseReview } from './case-review.tsx';
import type { CaseProps } from './case-props.ts';
import { caseBase, statusKey, usePeriodWords } from './case-words.ts';
import { CloseCase, ReopenCase } from './close-case.tsx';

const parts = ['custodians', 'queries', 'review', 'files', 'holds', 'exports', 'members', 'log'] as const;
type Part = (typeof parts)[number];

interface CaseViewProps {
  readonly tenantId: string;
  readonly caseId: string;
  readonly part: string;
  /** The review set that is read. */
  readonly setId: string;
}

/** The page of one case. */
export function CaseView({ tenantId, caseId, part, setId }: CaseViewProps): ReactElement {
  const text = useText();
  const found = useQuery(read(cases.get, { params: { tenantId, caseId }, quiet: true }));
  const crumbs = [{ label: text('shell.ediscovery'), to: caseBase }];
  return (
    <Page title={found.data?.matter ?? text('shell.ediscovery')} crumbs={crumbs}>
      {found.isPending && <LoadingShape rows={6} />}
      {found.isError && <FailedState error={found.error} onRetry={() => void found.refetch()} />}
      {found.data !== undefined && (
        <CaseContent tenantId={tenantId} of={found.data} part={parts.find((one) => one === part) ?? 'custodians'} setId={setId} />
      )}
    </Page>
  );
}

function CaseContent({ tenantId, of, part, setId }: CaseProps & { readonly part: Part; readonly setId: string }): ReactElement {
  const text = useText();
  const navigate = useNavigate();
  const shown = { tenantId, of };
  return (
    <Stack loose>
      <CaseCommands {...shown} />
      {of.status === 'closed' && (
        <MessageBar layout="multiline">
          <MessageBarBody>{text('cases.closedHint')}</MessageBarBody>
        </MessageBar>
      )}
      <CaseFacts of={of} />
      <Tabs
        names={parts}
        selected={part}
        word={(name) => text(`cases.tabs.${name}`)}
        onSelect={(name) => void navigate(`${caseBase}/${of.caseId}/${name}`)}
      />
      {part === 'custodians' && <CaseCustodians {...shown} />}
      {part === 'queries' && <CaseQueries {...shown} />}
      {part === 'review' && <CaseReview {...shown} setId={setId} />}
      {part === 'files' && <CaseFiles {...shown} />}
      {part === 'holds' && <CaseHolds {...shown} />}
      {part === 'exports' && <CaseExports {...shown} />}
      {part === 'members' && <CaseMembers {...shown} />}
      {part === 'log' && <CaseLog {...shown} />}
    </Stack>
  );
}

function CaseFacts({ of }: Pick<CaseProps, 'of'>): ReactElement {
  const text = useText();
  const format = useFormat();
  const period = usePeriodWords();
  return (
    <Facts
      items={[
        [text('common.status'), text(statusKey[of.status])],
        [text('cases.reference'), of.reference || '–'],
        [text('cases.period'), period(of)],
        [text('cases.createdAt'), format.dateTime(of.createdAt)],
        [text('cases.creator'), of.creator],
        ...(of.closedAt === null ? [] : [[text('cases.closedAt'), format.dateTime(of.closedAt)] as const]),
      ]}
    />
  );
}

function CaseCommands({ tenantId, of }: CaseProps): ReactElement | null {
  const text = useText();
  const mayManage = useMay('cases.manage');
  const [asked, setAsked] = useState<'change' | 'close' | 'reopen' | null>(null);
  const stop = (): void => setAsked(null);
  if (!mayManage) return null;
  const commands =
    of.status === 'open'
      ? [
          { id: 'change', label: text('cases.change'), run: () => setAsked('change') },
          { id: 'close', label: text('cases.close'), run: () => setAsked('close') },
        ]
      : [{ id: 'reopen', label: text('cases.reopen'), run: () => setAsked('reopen'), isPrimary: true }];
  return (
    <>
      <CommandBar commands={commands} />
      {asked === 'change' && <CaseForm tenantId={tenantId} before={of} onClose={stop} />}
      {asked === 'close' && <CloseCase tenantId={tenantId} of={of} onClose={stop} />}
      {asked === 'reopen' && <ReopenCase tenantId={tenantId} of={of} onClose={stop} />}
    </>
  );
}
