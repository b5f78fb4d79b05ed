import { Button, makeStyles, Subtitle2, Text, tokens } from '@fluentui/react-components';
import { parseQuery } from '@holdfast/contract/query/parse';
import { wildcardsIn } from '@holdfast/contract/query/wildcards';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useText } from '../../i18n/use-text.ts';
import { FailedState } from '../../ui/empty-state.tsx';
import { Stack } from '../../ui/layout.tsx';
import { LoadingShape } from '../../ui/loading-shape.tsx';
import { useWildcardWords, type StartedSearch } from './search.queries.ts';

const useStyles = makeStyles({
  words: {
    display: 'flex',
    flexWrap: 'wrap',
    gap: `${tokens.spacingVerticalXXS} ${tokens.spacingHorizontalM}`,
    listStyleType: 'none',
    margin: 0,
    padding: 0,
    overflowWrap: 'anywhere',
  },
});

interface WildcardWordsProps {
  readonly tenantId: string;
  readonly started: StartedSearch;
}

/** What the wildcards of a search were read as: nothing for a search without any, and nothing is asked before it is wanted. */
export function WildcardWords({ tenantId, started }: WildcardWordsProps): ReactElement | null {
  const text = useText();
  const [isOpen, setOpen] = useState(false);
  const { query } = parseQuery(started.query);
  const wildcards = query === undefined ? [] : wildcardsIn(query);
  if (wildcards.length === 0) return null;
  return (
    <Stack>
      <div>
        <Button size="small" appearance="subtle" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {text(isOpen ? 'search.wildcards.hide' : 'search.wildcards.show')}
        </Button>
      </div>
      {isOpen && (
        <section aria-label={text('search.wildcards.title')}>
          <Stack>
            {wildcards.map((wildcard) => (
              <WordsOf key={wildcard.text} tenantId={tenantId} started={{ query: wildcard.text, reason: started.reason }} />
            ))}
          </Stack>
        </section>
      )}
    </Stack>
  );
}

/** All words of one wildcard, counted, and as many of them as were asked for. */
function WordsOf({ tenantId, started }: WildcardWordsProps): ReactElement {
  const text = useText();
  const styles = useStyles();
  const found = useWildcardWords(tenantId, started);
  if (found.isPending) return <LoadingShape rows={1} />;
  if (found.isError) return <FailedState error={found.error} title={text('failures.retrieve')} onRetry={() => void found.refetch()} />;
  const [first] = found.data.pages;
  const words = found.data.pages.flatMap(({ wildcards }) => wildcards[0]?.words ?? []);
  return (
    <div>
      <Subtitle2 as="h2">{text('search.wildcards.found', { term: started.query, count: first?.wildcards[0]?.total ?? 0 })}</Subtitle2>
      <ul className={styles.words} aria-label={started.query}>
        {words.map((word) => (
          <li key={word}>
            <Text size={200}>{word}</Text>
          </li>
        ))}
      </ul>
      {found.hasNextPage && (
        <Button size="small" disabled={found.isFetchingNextPage} onClick={() => void found.fetchNextPage()}>
          {text('search.wildcards.more')}
        </Button>
      )}
    </div>
  );
}
