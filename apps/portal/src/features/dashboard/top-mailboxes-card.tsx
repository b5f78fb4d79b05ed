import {
  Card,
  makeStyles,
  Subtitle2,
  Table,
  TableBody,
  TableCell,
  TableHeader,
  TableHeaderCell,
  TableRow,
  Text,
  tokens,
} from '@fluentui/react-components';
import { dashboard, topMailboxOrders } from '@holdfast/contract/dashboard';
import type { TopMailbox, TopMailboxOrder } from '@holdfast/contract/dashboard';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useMay } from '../../api/portal-context.ts';
import { read } from '../../api/queries.ts';
import type { PhraseKey } from '../../i18n/phrase-key.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { Size } from '../../ui/moment.tsx';
import { RouterLink } from '../../ui/router-link.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { restoreLink } from '../restore/index.ts';

const orderNames: Readonly<Record<TopMailboxOrder, PhraseKey>> = {
  size: 'dashboard.size',
  messages: 'dashboard.messages',
  attachments: 'dashboard.attachments',
};

const useStyles = makeStyles({
  name: { overflowWrap: 'anywhere', paddingBlock: tokens.spacingVerticalXS },
  number: { textAlign: 'end', width: '112px', fontVariantNumeric: 'tabular-nums' },
  numberHead: { width: '112px', '& .fui-TableHeaderCell__button': { justifyContent: 'end' } },
});

/** The ten mailboxes with the most data, messages or attachments. */
export function TopMailboxesCard({ tenantId }: { readonly tenantId: string }): ReactElement | null {
  const text = useText();
  const [by, setBy] = useState<TopMailboxOrder>('size');
  const top = useQuery({
    ...read(dashboard.topMailboxes, { params: { tenantId }, query: { by }, quiet: true }),
    staleTime: 60_000,
    placeholderData: keepPreviousData,
  });
  if (top.data === undefined) return null;
  return (
    <Card>
      <Subtitle2 as="h2">{text('dashboard.topMailboxes')}</Subtitle2>
      {top.data.items.length === 0 ? (
        <Text>{text('dashboard.noMailboxes')}</Text>
      ) : (
        <>
          <Tabs isSmall names={topMailboxOrders} selected={by} word={(order) => text(orderNames[order])} onSelect={setBy} />
          <MailboxTable mailboxes={top.data.items} />
        </>
      )}
    </Card>
  );
}

function MailboxTable({ mailboxes }: { readonly mailboxes: readonly TopMailbox[] }): ReactElement {
  const text = useText();
  const styles = useStyles();
  const format = useFormat();
  const mayBrowse = useMay('content.browse');
  return (
    <Table size="small" aria-label={text('dashboard.topMailboxes')}>
      <TableHeader>
        <TableRow>
          <TableHeaderCell>{text('common.name')}</TableHeaderCell>
          {topMailboxOrders.map((order) => (
            <TableHeaderCell key={order} className={styles.numberHead}>
              {text(orderNames[order])}
            </TableHeaderCell>
          ))}
        </TableRow>
      </TableHeader>
      <TableBody>
        {mailboxes.map((mailbox) => (
          <TableRow key={mailbox.resourceId}>
            <TableCell className={styles.name}>
              {mayBrowse ? <RouterLink to={restoreLink(mailbox)}>{mailbox.name}</RouterLink> : mailbox.name}
            </TableCell>
            <TableCell className={styles.number}>
              <Size bytes={mailbox.bytes} />
            </TableCell>
            <TableCell className={styles.number}>{format.count(mailbox.messages)}</TableCell>
            <TableCell className={styles.number}>{format.count(mailbox.attachments)}</TableCell>
          </TableRow>
        ))}
      </TableBody>
    </Table>
  );
}
