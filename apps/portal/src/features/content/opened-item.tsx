import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useText } from '../../i18n/use-text.ts';
import { FailedState } from '../../ui/empty-state.tsx';
import { LoadingShape } from '../../ui/loading-shape.tsx';
import type { ChosenVersion } from './choice.ts';
import { DrawnFile } from './drawn-file.tsx';
import { OriginalSource } from './original-source.tsx';
import { PreviewContent } from './preview-content.tsx';
import { useTicket } from './use-ticket.ts';
import type { ItemPlace } from './use-ticket.ts';
import { VersionList } from './version-list.tsx';

interface OpenedItemProps {
  readonly place: ItemPlace;
  readonly reason: string;
  readonly onVersion: ((version: ChosenVersion) => void) | undefined;
  /** The button that asked for it is gone: the item takes the focus. */
  readonly takesFocus: boolean;
}

/** One item that was opened with a reason: readable, and as it is stored. */
export function OpenedItem({ place, reason, onVersion, takesFocus }: OpenedItemProps): ReactElement {
  const text = useText();
  const ticket = useTicket(place);
  const [showsSource, setShowsSource] = useState(false);
  const opened = useQuery({
    queryKey: ['content', 'reading', place, reason],
    queryFn: () => ticket.preview(reason),
    // Each opening is in the audit log: once is enough.
    staleTime: 'static',
    retry: false,
    meta: { quiet: true },
  });
  if (opened.isPending) return <LoadingShape rows={6} />;
  if (!opened.data) return <FailedState error={opened.error} title={text('failures.retrieve')} onRetry={() => void opened.refetch()} />;
  if (showsSource) return <OriginalSource place={place} reason={reason} onBack={() => setShowsSource(false)} />;
  const preview = opened.data;
  return (
    <PreviewContent
      preview={preview}
      isBesideList={!takesFocus}
      onDownload={(part) => void ticket.download(reason, part)}
      onPdf={() => void ticket.pdf(reason)}
      {...(preview.kind === 'message' ? { onSource: () => setShowsSource(true) } : {})}
      pages={<DrawnFile place={place} file={preview} reason={reason} />}
      versions={
        preview.versions.length > 1 && (
          <VersionList versions={preview.versions} onDownload={(part) => void ticket.download(reason, part)} onVersion={onVersion} />
        )
      }
    />
  );
}
