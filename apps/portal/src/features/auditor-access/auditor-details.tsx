import { Subtitle2 } from '@fluentui/react-components';
import type { ContentAccessEntry } from '@holdfast/contract/access-log';
import { auditorAccesses } from '@holdfast/contract/auditor-access';
import type { AuditorAccess } from '@holdfast/contract/auditor-access';
import type { QueryFor } from '@holdfast/contract/route';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { read, useChange } from '../../api/queries.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { CommandBar } from '../../ui/command-bar.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { useColumnKinds } from '../../ui/data-table/column-kinds.tsx';
import { DataTable } from '../../ui/data-table/data-table.tsx';
import type { PageQuery } from '../../ui/data-table/types.ts';
import { DetailDrawer } from '../../ui/detail-drawer.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Facts } from '../../ui/layout.tsx';
import { useSentence } from '../access-log/index.ts';

interface DetailsProps {
  readonly tenantId: string;
  readonly access: AuditorAccess;
  readonly onClose: () => void;
}

/** One access of an auditor, what was seen with it, and how it ends early. */
export function AuditorDetails({ tenantId, access, onClose }: DetailsProps): ReactElement {
  const text = useText();
  const format = useFormat();
  const [isEnding, setEnding] = useState(false);
  const end = useChange(auditorAccesses.end, { success: 'successes.auditorAccessEnded' });
  const { accessId, state, auditor, source, endedAt } = access;
  return (
    <DetailDrawer title={auditor} isWide onClose={onClose}>
      {(state === 'active' || state === 'upcoming') && (
        <CommandBar commands={[{ id: 'end', label: text('auditorAccess.end'), run: () => setEnding(true) }]} />
      )}
      <Facts
        items={[
          [text('common.status'), text(`auditorAccess.states.${state}`)],
          [text('auditorAccess.purpose'), access.purpose],
          [text('auditorAccess.source'), `${text(`auditorAccess.${source.kind}`)}: ${source.name}`],
          [text('auditorAccess.query'), access.query === '' ? '–' : access.query],
          [text('auditorAccess.items'), format.count(access.items)],
          [text('auditorAccess.accessFrom'), format.dateTime(access.accessFrom)],
          [text('auditorAccess.accessTo'), format.dateTime(access.accessTo)],
          [text('auditorAccess.granter'), access.granter],
          [text('auditorAccess.grantedAt'), format.dateTime(access.grantedAt)],
          ...(endedAt === null
            ? []
            : ([
                [text('auditorAccess.ender'), access.ender ?? '–'],
                [text('auditorAccess.endedAt'), format.dateTime(endedAt)],
              ] as const)),
        ]}
      />
      <AuditorLog tenantId={tenantId} accessId={accessId} />
      {isEnding && (
        <ConfirmDialog
          title={text('auditorAccess.endTitle', { name: auditor })}
          text={text('auditorAccess.endText')}
          button={text('auditorAccess.end')}
          destructive
          busy={end.isPending}
          onConfirm={() => end.mutate({ params: { tenantId, accessId } }, { onSuccess: onClose, onSettled: () => setEnding(false) })}
          onClose={() => setEnding(false)}
        />
      )}
    </DetailDrawer>
  );
}

function AuditorLog({ tenantId, accessId }: { readonly tenantId: string; readonly accessId: string }): ReactElement {
  const text = useText();
  const sentence = useSentence();
  const { words, moment } = useColumnKinds<ContentAccessEntry>();
  const page = ({ filters: _none, ...query }: PageQuery) =>
    read(auditorAccesses.log, { params: { tenantId, accessId }, query: query as QueryFor<typeof auditorAccesses.log>, quiet: true });
  return (
    <>
      <Subtitle2 as="h3">{text('auditorAccess.log')}</Subtitle2>
      <DataTable
        id="auditor-log"
        prefix="log"
        label={text('auditorAccess.log')}
        columns={[
          moment({ id: 'at', title: text('accessLog.at') }, (row) => row.at),
          words({ id: 'what', title: text('accessLog.what'), width: 520 }, sentence),
          words({ id: 'reason', title: text('accessLog.reason'), width: 220 }, (row) => row.reason ?? '–'),
        ]}
        source={{ kind: 'pages', page }}
        rowKey={(one) => one.id}
        rowName={(one) => one.reader}
        empty={<EmptyState text={text('auditorAccess.logEmpty')} />}
      />
    </>
  );
}
