import { isDrawn } from '@holdfast/contract/content';
import type { Preview } from '@holdfast/contract/content';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { useText } from '../../i18n/use-text.ts';
import { DrawnPages } from '../../ui/drawn-pages.tsx';
import { EmptyState, FailedState } from '../../ui/empty-state.tsx';
import { LoadingShape } from '../../ui/loading-shape.tsx';
import { useTicket } from './use-ticket.ts';
import type { ItemPlace, WantedVersion } from './use-ticket.ts';

export interface DrawnFileProps extends WantedVersion {
  readonly place: ItemPlace;
  /** What it is, and by the ending of its name whether pages of it can be drawn. */
  readonly file: Pick<Preview, 'kind' | 'title'>;
  /** Each page that is shown is an opening of its own, and logged with this. */
  readonly reason: string;
}

/** A picture, or a PDF file page by page, as the server draws it; nothing for files of other kinds. */
export function DrawnFile(props: DrawnFileProps): ReactElement | null {
  const { place, file, version } = props;
  if (file.kind !== 'file' || !isDrawn(file.title)) return null;
  return <Drawn key={`${place.nodeId} ${place.sequence} ${version ?? ''}`} {...props} />;
}

function Drawn({ place, file, reason, version }: DrawnFileProps): ReactElement {
  const text = useText();
  const [number, setNumber] = useState(1);
  const ticket = useTicket(place);
  const found = useQuery({
    queryKey: ['content', 'page', place, version ?? null, number],
    queryFn: () => ticket.page(reason, { page: number, size: 'page', ...(version === undefined ? {} : { version }) }),
    placeholderData: keepPreviousData,
    // Each opening is in the audit log: once is enough.
    staleTime: 'static',
    retry: false,
    meta: { quiet: true },
  });
  if (found.error instanceof ApiError && found.error.code === 'content.not-shown') {
    return <EmptyState text={text('errors.content.not-shown')} />;
  }
  if (found.isError) return <FailedState error={found.error} onRetry={() => void found.refetch()} />;
  if (found.data === undefined) return <LoadingShape rows={8} />;
  return <DrawnPages name={file.title} number={number} shown={found.data} isLeaving={found.isPlaceholderData} onNumber={setNumber} />;
}
