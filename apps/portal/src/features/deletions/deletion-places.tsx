import { Subtitle2, Text } from '@fluentui/react-components';
import type { DeletionDetails, DeletionKeeper, DeletionMailbox, RemainingCopy } from '@holdfast/contract/deletions';
import type { ReactElement } from 'react';
import { nameWithAddress } from '../../i18n/name-with-address.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { useColumnKinds } from '../../ui/data-table/column-kinds.tsx';
import { DataTable } from '../../ui/data-table/data-table.tsx';
import type { Column } from '../../ui/data-table/types.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Stack } from '../../ui/layout.tsx';

/** A deletion by place, what keeps items of it, and where copies remain. */
export function DeletionPlaces({ deletion }: { readonly deletion: DeletionDetails }): ReactElement {
  const text = useText();
  const { keepers, remains, sweptAt } = deletion;
  return (
    <>
      {remains !== null && (
        <>
          <Subtitle2 as="h3">{text('deletions.remains')}</Subtitle2>
          <Remains remains={remains} sweptAt={sweptAt} />
        </>
      )}
      {keepers.length > 0 && (
        <>
          <Subtitle2 as="h3">{text('deletions.keepers')}</Subtitle2>
          <Keepers keepers={keepers} />
        </>
      )}
      <Subtitle2 as="h3">{text('deletions.byMailbox')}</Subtitle2>
      <Mailboxes deletion={deletion} />
    </>
  );
}

/** Before its run a deletion has deleted nothing: its places say what the run would delete. */
const isAhead = ({ state }: DeletionDetails): boolean => state === 'draft' || state === 'waiting' || state === 'approved';

function Mailboxes({ deletion }: { readonly deletion: DeletionDetails }): ReactElement {
  const text = useText();
  const { words, count, size } = useColumnKinds<DeletionMailbox>();
  const columns: readonly Column<DeletionMailbox>[] = [
    words({ id: 'name', title: text('deletions.mailbox'), sort: 'name', width: 240 }, ({ name, email }) =>
      nameWithAddress({ name, address: email }),
    ),
    words({ id: 'kind', title: text('deletions.place'), sort: 'kind', width: 150 }, ({ kind }) => text(`deletions.placeKinds.${kind}`)),
    words({ id: 'location', title: text('deletions.location'), sort: 'location', width: 130 }, (row) => row.locationName),
    count({ id: 'messages', title: text('deletions.messages'), sort: 'messages', width: 110 }, (row) => row.listed.messages),
    size({ id: 'size', title: text('deletions.size'), sort: 'size', width: 100 }, (row) => row.listed.bytes),
    count({ id: 'kept', title: text('deletions.keptCount'), sort: 'kept', width: 110 }, (row) => row.kept.messages),
    isAhead(deletion)
      ? count(
          { id: 'going', title: text('deletions.goingCount'), sort: 'going', width: 110 },
          ({ listed, kept }) => listed.messages - kept.messages,
        )
      : count({ id: 'erased', title: text('deletions.erasedCount'), sort: 'erased', width: 110 }, (row) => row.erased.messages),
  ];
  return (
    <DataTable
      id="deletion-mailboxes"
      prefix="m-"
      label={text('deletions.byMailbox')}
      columns={columns}
      source={{ kind: 'list', rows: deletion.mailboxes, error: null, retry: () => undefined }}
      rowKey={(row) => `${row.mailboxId} ${row.kind} ${row.locationName}`}
      rowName={(row) => row.name}
      empty={<EmptyState text={text('common.none')} />}
    />
  );
}

function Keepers({ keepers }: { readonly keepers: readonly DeletionKeeper[] }): ReactElement {
  const text = useText();
  const format = useFormat();
  const { words, count } = useColumnKinds<DeletionKeeper>();
  const until = ({ kind, until: end }: DeletionKeeper): string => {
    if (end !== null) return format.dateTime(end);
    return text(kind === 'hold' ? 'deletions.untilReleased' : 'deletions.untilEvent');
  };
  const columns: readonly Column<DeletionKeeper>[] = [
    words({ id: 'name', title: text('deletions.keeper'), sort: 'name', width: 240 }, (row) => row.name),
    words({ id: 'kind', title: text('deletions.keeperKind'), sort: 'kind', width: 180 }, (row) =>
      text(`deletions.keeperKinds.${row.kind}`),
    ),
    count({ id: 'messages', title: text('deletions.messages'), sort: 'messages', width: 110 }, (row) => row.messages),
    words({ id: 'until', title: text('deletions.keptUntil'), width: 190 }, until),
  ];
  return (
    <DataTable
      id="deletion-keepers"
      prefix="k-"
      label={text('deletions.keepers')}
      columns={columns}
      source={{ kind: 'list', rows: keepers, error: null, retry: () => undefined }}
      rowKey={(row) => `${row.kind} ${row.name}`}
      rowName={(row) => row.name}
      empty={<EmptyState text={text('common.none')} />}
    />
  );
}

interface RemainsProps {
  readonly remains: NonNullable<DeletionDetails['remains']>;
  readonly sweptAt: string | null;
}

/** Where the content still is, place by place, and until when. */
function Remains({ remains: { countedAt, sweepAt, copies }, sweptAt }: RemainsProps): ReactElement {
  const text = useText();
  const format = useFormat();
  const sentence = ({ place, messages, locationName: location }: RemainingCopy): string =>
    text(`deletions.copies.${place}`, { count: messages, messages: format.count(messages), location });
  const locked = new Map(
    copies.filter(({ lockedDays }) => lockedDays > 0).map(({ locationName, lockedDays }) => [locationName, lockedDays]),
  );
  return (
    <Stack>
      {copies.length === 0 && <Text>{text('deletions.remainsNone')}</Text>}
      {copies.map((copy) => (
        <Text key={`${copy.place} ${copy.locationName}`}>{sentence(copy)}</Text>
      ))}
      {[...locked].map(([location, days]) => (
        <Text key={location}>{text('deletions.locked', { location, days: format.count(days) })}</Text>
      ))}
      {sweepAt !== null && <Text>{text('deletions.sweepAt', { at: format.dateTime(sweepAt) })}</Text>}
      {sweptAt !== null && <Text>{text('deletions.sweptAt', { at: format.dateTime(sweptAt) })}</Text>}
      <Text>{text('deletions.journalNote')}</Text>
      <Text size={200}>{text('deletions.remainsAt', { at: format.dateTime(countedAt) })}</Text>
    </Stack>
  );
}
