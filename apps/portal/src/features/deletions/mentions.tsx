import { Button, Subtitle2, Text } from '@fluentui/react-components';
import { deletions } from '@holdfast/contract/deletions';
import type { DeletionDetails, DeletionMention } from '@holdfast/contract/deletions';
import type { ReactElement } from 'react';
import { read, useChange } from '../../api/queries.ts';
import { useText } from '../../i18n/use-text.ts';
import { CommandBar } from '../../ui/command-bar.tsx';
import { useColumnKinds } from '../../ui/data-table/column-kinds.tsx';
import { DataTable } from '../../ui/data-table/data-table.tsx';
import type { Column, PageQuery } from '../../ui/data-table/types.ts';
import { EmptyState } from '../../ui/empty-state.tsx';

interface MentionsProps {
  readonly tenantId: string;
  readonly deletion: Pick<DeletionDetails, 'deletionId' | 'state'>;
}

/** Where somebody is mentioned in what is not theirs; while the erasure is a draft, it can be taken into it. */
export function Mentions({ tenantId, deletion: { deletionId, state } }: MentionsProps): ReactElement {
  const text = useText();
  const include = useChange(deletions.includeMentions, { success: 'deletions.mentionsIncluded' });
  const exclude = useChange(deletions.excludeMentions, { success: 'deletions.mentionsExcluded' });
  const columns = useColumns();
  const params = { tenantId, deletionId };
  const chosen = (rows: readonly DeletionMention[]) => ({ params, body: { hitIds: rows.map(({ hit }) => hit.hitId) } });
  const commandsOf = (rows: readonly DeletionMention[], clear: () => void): ReactElement => (
    <>
      <Button appearance="primary" disabled={include.isPending} onClick={() => include.mutate(chosen(rows), { onSuccess: clear })}>
        {text('deletions.includeMentions')}
      </Button>
      <Button disabled={exclude.isPending} onClick={() => exclude.mutate(chosen(rows), { onSuccess: clear })}>
        {text('deletions.excludeMentions')}
      </Button>
    </>
  );
  const page = ({ cursor, limit }: PageQuery) =>
    read(deletions.mentions, { params, query: { limit, ...(cursor === undefined ? {} : { cursor }) }, quiet: true });
  return (
    <>
      <Subtitle2 as="h3">{text('deletions.mentions')}</Subtitle2>
      <Text>{text('deletions.mentionsText')}</Text>
      {state === 'draft' && (
        <CommandBar
          commands={[
            {
              id: 'all',
              label: text('deletions.includeAllMentions'),
              run: () => include.mutate({ params, body: {} }),
              isDisabled: include.isPending,
            },
          ]}
        />
      )}
      <DataTable
        id="erasure-mentions"
        prefix="mention"
        label={text('deletions.mentions')}
        columns={columns}
        isSearchable={false}
        source={{ kind: 'pages', page }}
        rowKey={({ hit }) => hit.hitId}
        rowName={({ hit }) => hit.title}
        empty={<EmptyState text={text('deletions.mentionsEmpty')} />}
        {...(state === 'draft' ? { selectionCommands: commandsOf } : {})}
      />
    </>
  );
}

function useColumns(): readonly Column<DeletionMention>[] {
  const text = useText();
  const { words, size, moment } = useColumnKinds<DeletionMention>();
  const stateOf = ({ state, keepers }: DeletionMention): string =>
    text(`deletions.mentionStates.${state ?? 'none'}`, { by: keepers.map(({ name }) => name).join(', ') });
  return [
    words({ id: 'title', title: text('common.name'), width: 260 }, ({ hit }) => hit.title.trim() || text('search.untitled')),
    words({ id: 'where', title: text('search.columns.where'), width: 200 }, ({ hit }) => hit.resource.name || hit.resource.address),
    words({ id: 'state', title: text('deletions.mentionState'), width: 220 }, stateOf),
    moment({ id: 'at', title: text('deletions.mentionDate'), width: 150 }, ({ hit }) => hit.at),
    size({ id: 'size', title: text('deletions.size'), width: 90 }, ({ hit }) => hit.sizeBytes),
  ];
}
