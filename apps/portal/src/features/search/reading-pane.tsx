import { Subtitle1 } from '@fluentui/react-components';
import type { KeptItem } from '@holdfast/contract/compliance-values';
import type { Preview } from '@holdfast/contract/content';
import type { SearchHit } from '@holdfast/contract/search';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { FailedState } from '../../ui/empty-state.tsx';
import { Facts, Stack } from '../../ui/layout.tsx';
import { LoadingShape } from '../../ui/loading-shape.tsx';
import { Conversation, DrawnFile, KeptFacts, PreviewContent, useTicket, type ItemPlace } from '../content/index.ts';
import { MarkedText } from '../../ui/marked-text.tsx';
import type { TextMarks } from '../../ui/marked-text.tsx';
import { HitActions } from './hit-actions.tsx';
import { PassageList, useMarker } from './passages.tsx';
import type { PassageSource } from './search.queries.ts';

interface ReadingPaneProps {
  readonly tenantId: string;
  readonly hit: SearchHit;
  readonly reason: string;
  /** It is read and printed, attachments of a mail are downloaded, and nothing else is done with it. */
  readonly isReadOnly?: boolean;
  /** Shows at once what was said around a message of a chat or channel; elsewhere the reader asks for it. */
  readonly showsConversation?: boolean;
  /** The search whose words are marked. */
  readonly search?: Omit<PassageSource, 'hitIds'>;
}

/** Where a hit is, how large it is, and what has become of it. */
function HitFacts({ hit }: { readonly hit: SearchHit }): ReactElement {
  const text = useText();
  const format = useFormat();
  const { resource } = hit;
  const deleted = hit.isDeleted ? text('search.deleted', { date: format.date(hit.lastSeenAt) }) : null;
  const status = resource.kind === 'archive' ? text('search.archived') : deleted;
  const name = resource.name || resource.address;
  return (
    <Facts
      items={[
        [text('search.columns.where'), resource.address === '' ? name : `${name} (${resource.address})`],
        [text('search.columns.size'), format.bytes(hit.sizeBytes)],
        ...(status === null ? [] : ([[text('common.status'), status]] as const)),
      ]}
    />
  );
}

/** Why the hit is kept, and until when. */
function Kept({ kept, onRetry }: { readonly kept: KeptItem | null; readonly onRetry: () => void }): ReactElement {
  const text = useText();
  return kept === null ? (
    <FailedState error={null} title={text('compliance.whyKeptUnknown')} onRetry={onRetry} />
  ) : (
    <KeptFacts kept={kept} />
  );
}

interface OpenedHitProps extends Required<Pick<ReadingPaneProps, 'hit' | 'reason' | 'isReadOnly' | 'showsConversation'>> {
  readonly place: ItemPlace;
  readonly ticket: ReturnType<typeof useTicket>;
  readonly opened: { readonly preview: Preview; readonly kept: KeptItem | null };
  readonly marks: (text: string) => TextMarks;
  readonly onRetry: () => void;
}

/** What a hit says, why it is kept, and the conversation that it is of. */
function OpenedHit({ hit, place, ticket, reason, isReadOnly, showsConversation, opened, marks, onRetry }: OpenedHitProps): ReactElement {
  const { preview, kept } = opened;
  const isTaken = !isReadOnly || preview.kind === 'message';
  return (
    <>
      <PreviewContent
        isBesideList
        preview={preview}
        pages={<DrawnFile place={place} file={preview} reason={reason} />}
        marks={marks}
        {...(isTaken ? { onDownload: (part) => void ticket.download(reason, part), isOriginalKept: isReadOnly } : {})}
        onPdf={() => void ticket.pdf(reason)}
      />
      <Kept kept={kept} onRetry={onRetry} />
      {hit.kind === 'im' && !isReadOnly && <Conversation place={place} reason={reason} isShown={showsConversation} />}
    </>
  );
}

/** The chosen hit, read with the reason of the search; the opening is in the audit log. */
export function ReadingPane({
  tenantId,
  hit,
  reason,
  isReadOnly = false,
  showsConversation = false,
  search,
}: ReadingPaneProps): ReactElement {
  const text = useText();
  const { locationId, sourceId, nodeId, sequence } = hit;
  const place = { tenantId, locationId, sourceId, nodeId, sequence };
  const ticket = useTicket(place);
  const opened = useQuery({
    queryKey: ['search', 'reading', tenantId, hit.hitId, reason],
    queryFn: () => ticket.read(reason),
    // Each opening is in the audit log: once is enough.
    staleTime: 'static',
    retry: false,
    meta: { quiet: true },
  });
  const marker = useMarker(search?.started.query);
  const title = hit.title.trim() || text('search.untitled');
  return (
    <section aria-label={text('search.reading')}>
      <Stack>
        <Subtitle1 as="h2">
          <MarkedText text={title} marks={marker('subject', title)} />
        </Subtitle1>
        <HitFacts hit={hit} />
        {!isReadOnly && <HitActions tenantId={tenantId} hit={hit} reason={reason} />}
        {search !== undefined && <PassageList source={{ ...search, hitIds: [hit.hitId] }} hitId={hit.hitId} />}
        {opened.isPending && <LoadingShape rows={6} />}
        {opened.data === null && <FailedState error={null} title={text('failures.retrieve')} onRetry={() => void opened.refetch()} />}
        {opened.data && (
          <OpenedHit
            {...{ hit, place, ticket, reason, isReadOnly, showsConversation }}
            opened={opened.data}
            marks={(given) => marker('text', given)}
            onRetry={() => void opened.refetch()}
          />
        )}
      </Stack>
    </section>
  );
}
