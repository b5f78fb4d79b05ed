import { Card, Subtitle2, Text } from '@fluentui/react-components';
import { dashboard, topMailboxOrders } from '@holdfast/contract/dashboard';
import type { TopMailbox, TopMailboxOrder } from '@holdfast/contract/dashboard';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactElement, ReactNode } from 'react';
import { useMay } from '../../api/portal-context.ts';
import { read } from '../../api/queries.ts';
import type { PhraseKey } from '../../i18n/phrase-key.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { RankedBars } from '../../ui/ranked-bars.tsx';
import { RouterLink } from '../../ui/router-link.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { restoreLink } from '../restore/index.ts';

const orderNames: Readonly<Record<TopMailboxOrder, PhraseKey>> = {
  size: 'dashboard.size',
  messages: 'dashboard.messages',
  attachments: 'dashboard.attachments',
};

/** The ten backed-up mailboxes with the most data, messages or attachments. */
export function TopMailboxesCard({ tenantId }: { readonly tenantId: string }): ReactElement | null {
  const [by, setBy] = useState<TopMailboxOrder>('size');
  const mayBrowse = useMay('content.browse');
  const top = useQuery({
    ...read(dashboard.topMailboxes, { params: { tenantId }, query: { by }, quiet: true }),
    staleTime: 60_000,
    placeholderData: keepPreviousData,
  });
  if (top.data === undefined) return null;
  return (
    <RankedMailboxes
      by={by}
      onBy={setBy}
      empty="dashboard.noMailboxes"
      mailboxes={top.data.items.map((mailbox) => ({
        ...mailbox,
        id: mailbox.resourceId,
        way: mayBrowse ? <RouterLink to={restoreLink(mailbox)}>{mailbox.name}</RouterLink> : mailbox.name,
      }))}
    />
  );
}

/** A mailbox among the largest. */
export interface RankedMailbox extends Pick<TopMailbox, 'bytes' | 'messages' | 'attachments'> {
  readonly id: string;
  /** Its name, with the way to what is in it. */
  readonly way: ReactNode;
}

export interface RankedMailboxesProps {
  readonly by: TopMailboxOrder;
  readonly onBy: (by: TopMailboxOrder) => void;
  readonly mailboxes: readonly RankedMailbox[];
  /** What is said where there is none. */
  readonly empty: PhraseKey;
}

/** The largest mailboxes as bars, by a measure that the reader chooses. */
export function RankedMailboxes({ by, onBy, mailboxes, empty }: RankedMailboxesProps): ReactElement {
  const text = useText();
  const format = useFormat();
  const said = (mailbox: RankedMailbox): Readonly<Record<TopMailboxOrder, readonly [value: number, words: string]>> => ({
    size: [mailbox.bytes, format.bytes(mailbox.bytes)],
    messages: [mailbox.messages, format.count(mailbox.messages)],
    attachments: [mailbox.attachments, format.count(mailbox.attachments)],
  });
  return (
    <Card>
      <Subtitle2 as="h2">{text('dashboard.topMailboxes')}</Subtitle2>
      {mailboxes.length === 0 ? (
        <Text>{text(empty)}</Text>
      ) : (
        <>
          <Tabs isSmall names={topMailboxOrders} selected={by} word={(order) => text(orderNames[order])} onSelect={onBy} />
          <RankedBars
            label={text('dashboard.topMailboxes')}
            bars={mailboxes.map((mailbox) => {
              const measures = said(mailbox);
              const [value, words] = measures[by];
              const others = topMailboxOrders.filter((order) => order !== by);
              const hint = others.map((order) => `${text(orderNames[order])}: ${measures[order][1]}`).join(' · ');
              return { id: mailbox.id, name: mailbox.way, value, words, hint };
            })}
          />
        </>
      )}
    </Card>
  );
}
