import type { SearchHit } from '@holdfast/contract/search';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useText } from '../../i18n/use-text.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Split } from '../../ui/layout.tsx';
import { HitList } from './hit-list.tsx';
import { ReadingPane } from './reading-pane.tsx';

/** Hits that come page by page. */
interface PagedHits {
  readonly data: { readonly pages: readonly { readonly items: readonly SearchHit[]; readonly total: number }[] };
  readonly hasNextPage: boolean;
  readonly isFetchingNextPage: boolean;
  readonly fetchNextPage: () => Promise<unknown>;
}

interface HitsToReadProps {
  readonly tenantId: string;
  readonly hits: PagedHits;
  /** It is logged with every hit that is opened. */
  readonly reason: string;
  /** They are read and printed, attachments of mails are downloaded, and nothing else is done with them. */
  readonly isReadOnly?: boolean;
}

/** Hits of a list that is not the search's own, and the chosen one beside them. */
export function HitsToRead({ tenantId, hits, reason, isReadOnly = false }: HitsToReadProps): ReactElement {
  const text = useText();
  const [chosen, setChosen] = useState<SearchHit | null>(null);
  const rows = hits.data.pages.flatMap((page) => page.items);
  return (
    <Split>
      <HitList
        rows={rows}
        total={hits.data.pages[0]?.total ?? rows.length}
        chosenId={chosen?.hitId ?? null}
        onChoose={setChosen}
        onNearEnd={() => {
          if (hits.hasNextPage && !hits.isFetchingNextPage) void hits.fetchNextPage();
        }}
      />
      {chosen === null ? (
        <EmptyState text={text('search.chooseToRead')} />
      ) : (
        <ReadingPane key={chosen.hitId} tenantId={tenantId} hit={chosen} reason={reason} isReadOnly={isReadOnly} showsConversation />
      )}
    </Split>
  );
}
