import { Button, makeStyles, Subtitle1, Subtitle2, Switch, Text, tokens } from '@fluentui/react-components';
import { ShieldCheckmarkRegular } from '@fluentui/react-icons';
import { accessLog } from '@holdfast/contract/access-log';
import { archivedMessages, type ArchivedMessage, type OpenedMessage } from '@holdfast/contract/archived-messages';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { usePortal } from '../../api/portal-context.ts';
import { read } from '../../api/queries.ts';
import { lastMomentOf } from '../../i18n/calendar-day.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { FailedState } from '../../ui/empty-state.tsx';
import { Facts, Row, Stack } from '../../ui/layout.tsx';
import { LoadingShape } from '../../ui/loading-shape.tsx';
import { LongCode } from '../../ui/long-code.tsx';
import { PreviewContent, useTicket } from '../content/index.ts';
import { MessagePrivacy } from './message-privacy.tsx';

const useStyles = makeStyles({
  header: {
    whiteSpace: 'pre-wrap',
    overflowWrap: 'anywhere',
    maxHeight: '40vh',
    overflowY: 'auto',
    margin: 0,
    fontFamily: tokens.fontFamilyMonospace,
    fontSize: tokens.fontSizeBase200,
  },
});

interface MessagePaneProps {
  readonly tenantId: string;
  readonly message: Pick<ArchivedMessage, 'messageId' | 'locationId' | 'sourceId' | 'sequence' | 'subject'>;
  readonly reason: string;
}

/** The chosen message, read with the reason that was given; the opening is in the audit log. */
export function MessagePane({ tenantId, message, reason }: MessagePaneProps): ReactElement {
  const text = useText();
  const { client } = usePortal();
  const { messageId, locationId, sourceId, sequence, subject } = message;
  const ticket = useTicket({ tenantId, locationId, sourceId, nodeId: messageId, sequence });
  const params = { tenantId, messageId };
  const cache = useQueryClient();
  const queryKey = ['archive', 'message', tenantId, messageId, reason];
  const opened = useQuery({
    queryKey,
    queryFn: () => ticket.open(reason, (given) => client.send(archivedMessages.get, { params, query: { ticket: given }, quiet: true })),
    // Each opening is in the audit log: once is enough.
    staleTime: 'static',
    retry: false,
    meta: { quiet: true },
  });
  const download = (part: number | undefined): void =>
    void ticket.follow(reason, (given) =>
      part === undefined
        ? client.linkTo(archivedMessages.raw, { params, query: { ticket: given } })
        : client.linkTo(archivedMessages.part, { params: { ...params, part }, query: { ticket: given } }),
    );
  const mark = async (isPrivate: boolean): Promise<boolean> => {
    const done = await ticket.open(reason, (given) =>
      client.send(archivedMessages.markPrivate, { params, body: { ticket: given, isPrivate }, quiet: true }),
    );
    if (done !== null) cache.setQueryData<OpenedMessage | null>(queryKey, (known) => known && { ...known, ...done });
    return done !== null;
  };
  // Some lists name no subject: it is known once the message is open.
  const title = subject.trim() || (opened.isPending ? null : (opened.data?.content.title.trim() ?? ''));
  const saveProof = (): void =>
    void ticket.follow(reason, (given) => client.linkTo(archivedMessages.proof, { params, query: { ticket: given } }));
  return (
    <section aria-label={text('search.reading')}>
      <Stack>
        {title !== null && <Subtitle1 as="h2">{title || text('archive.noSubject')}</Subtitle1>}
        {opened.isPending && <LoadingShape rows={6} />}
        {opened.data === null && <FailedState error={null} title={text('failures.retrieve')} onRetry={() => void opened.refetch()} />}
        {opened.data && (
          <>
            <PreviewContent
              isBesideList
              preview={opened.data.content}
              onPdf={() => void ticket.pdf(reason)}
              onDownload={({ attachment }) => download(attachment === undefined ? undefined : Number(attachment))}
            />
            <MessagePrivacy message={opened.data} onMark={mark} />
            <Kept message={opened.data} />
            <Row>
              <Button icon={<ShieldCheckmarkRegular />} onClick={saveProof}>
                {text('archive.saveProof')}
              </Button>
            </Row>
            <Text size={200}>{text('archive.proofHint')}</Text>
            <OpenedBy tenantId={tenantId} message={opened.data} />
            <Header headers={opened.data.headers} />
          </>
        )}
      </Stack>
    </section>
  );
}

type Placement = OpenedMessage['placements'][number];
type Fact = readonly [string, string];
type Words = ReturnType<typeof useText>;

/** Who sent a journaled message to whom, blind copies as far as the reader may know them. */
function envelopeFacts({ sender, recipients }: NonNullable<Placement['envelope']>, text: Words): readonly Fact[] {
  const roles = Map.groupBy(recipients, ({ role }) => role);
  const groups = [...roles].map(([role, people]): Fact => [
    text(`archive.journalRoles.${role}`),
    people.map(({ address }) => address).join(', '),
  ]);
  return [[text('archive.journalRoles.sender'), sender], ...groups];
}

/** What the signatures of a message were worth when it arrived. */
function signatureFacts({ dkim, arc }: NonNullable<Placement['signatures']>, text: Words): readonly Fact[] {
  const words = (result: string): string => text(result === 'pass' ? 'archive.validOnArrival' : 'archive.notValidOnArrival', { result });
  const signed = dkim.map(({ domain, result }): Fact => [text('archive.signedBy', { domain }), words(result)]);
  return arc === 'none' ? signed : [...signed, [text('archive.arcChain'), words(arc)]];
}

/** Why the message is kept and until when, where it was, and the hash that is its name. */
function Kept({ message }: { readonly message: OpenedMessage }): ReactElement {
  const text = useText();
  const format = useFormat();
  const { messageId, isVerified, isReconstructed, archivedAt, policies, deletedBy, holds, placements } = message;
  const isWithoutEnd = policies.length === 0 && deletedBy.length === 0;
  const period = (from: string | null, to: string | null): string =>
    from === null && to === null ? '' : ` (${from === null ? '' : format.date(from)} – ${to === null ? '' : format.date(to)})`;
  return (
    <>
      <Subtitle2 as="h3">{text('archive.kept')}</Subtitle2>
      <Facts
        items={[
          ...(isWithoutEnd ? ([[text('archive.keptUntil'), text('archive.noMinimum')]] as const) : []),
          ...policies.map(({ name, until }) => {
            const date = until === null ? text('archive.keptUntilEvent') : format.date(lastMomentOf(until));
            return [text('archive.keptUntil'), text('archive.keptByPolicy', { date, name })] as const;
          }),
          ...deletedBy.map(({ name, from, isReviewed }) => {
            const date = from === null ? text('archive.deletedAfterEvent') : format.date(lastMomentOf(from));
            return [
              text(isReviewed ? 'archive.reviewedAfter' : 'archive.deletedAfter'),
              text('archive.keptByPolicy', { date, name }),
            ] as const;
          }),
          ...holds.map(
            ({ name, reason, from, to }) =>
              [text('archive.hold'), `${name}${period(from, to)}${reason === null ? '' : `: ${reason}`}`] as const,
          ),
          ...(archivedAt === null ? [] : ([[text('archive.archivedAt'), format.dateTime(archivedAt)]] as const)),
          ...placements.map(
            ({ folder, capturedAt }) =>
              [text('archive.place'), text('archive.placeAt', { folder, date: format.dateTime(capturedAt) })] as const,
          ),
          ...placements.flatMap(({ envelope }) => (envelope === undefined ? [] : envelopeFacts(envelope, text))),
          ...placements.flatMap(({ signatures }) => (signatures === undefined ? [] : signatureFacts(signatures, text))),
          [text('archive.hash'), <LongCode key="hash">{messageId}</LongCode>],
          ...(isReconstructed ? ([[text('archive.origin'), text('archive.reconstructed')]] as const) : []),
          [text('archive.checked'), text(isVerified ? 'archive.unchanged' : 'archive.notChecked')],
        ]}
      />
    </>
  );
}

const shownOpenings = 5;

/** Who has opened the message, as far as the reader may know, the newest first. */
function OpenedBy({ tenantId, message }: { readonly tenantId: string; readonly message: OpenedMessage }): ReactElement | null {
  const text = useText();
  const format = useFormat();
  const { messageId, mailbox } = message;
  const query = { resourceId: mailbox.mailboxId, itemId: messageId, kind: 'opened' as const, limit: shownOpenings };
  const accesses = useQuery(read(accessLog.list, { params: { tenantId }, query, quiet: true }));
  if (accesses.data === undefined || accesses.data.items.length === 0) return null;
  return (
    <>
      <Subtitle2 as="h3">{text('archive.openedBy')}</Subtitle2>
      <Facts
        items={accesses.data.items.map(
          ({ at, reader, reason }) => [format.dateTime(at), reason === null ? reader : `${reader}: ${reason}`] as const,
        )}
      />
    </>
  );
}

/** The header lines as they came, on request. */
function Header({ headers }: Pick<OpenedMessage, 'headers'>): ReactElement | null {
  const text = useText();
  const styles = useStyles();
  const [isShown, setShown] = useState(false);
  if (headers.length === 0) return null;
  return (
    <>
      <Switch label={text('archive.showHeader')} checked={isShown} onChange={(_event, { checked }) => setShown(checked)} />
      {isShown && (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- whoever has no mouse scrolls a long text by its keys
        <pre className={styles.header} tabIndex={0}>
          {headers.map(({ name, value }) => `${name}: ${value}`).join('\n')}
        </pre>
      )}
    </>
  );
}
