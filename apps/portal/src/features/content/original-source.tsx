import { Button, makeStyles, Text, tokens } from '@fluentui/react-components';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useText } from '../../i18n/use-text.ts';
import { FailedState } from '../../ui/empty-state.tsx';
import { Row, Stack } from '../../ui/layout.tsx';
import { LoadingShape } from '../../ui/loading-shape.tsx';
import { useTicket } from './use-ticket.ts';
import type { ItemPlace } from './use-ticket.ts';

const useStyles = makeStyles({
  source: {
    margin: 0,
    maxHeight: '50vh',
    overflow: 'auto',
    whiteSpace: 'pre-wrap',
    overflowWrap: 'anywhere',
    fontFamily: tokens.fontFamilyMonospace,
    fontSize: tokens.fontSizeBase200,
  },
});

/** The header lines of a message: everything up to its first empty line. */
export function headersOf(source: string): string {
  return source.split(/\r?\n\r?\n/, 1)[0] ?? '';
}

interface OriginalSourceProps {
  readonly place: ItemPlace;
  readonly reason: string;
  readonly onBack: () => void;
}

/** A message as it is stored: its header lines, or all of it. */
export function OriginalSource({ place, reason, onBack }: OriginalSourceProps): ReactElement {
  const text = useText();
  const styles = useStyles();
  const ticket = useTicket(place);
  const [asWhole, setAsWhole] = useState(false);
  const read = useQuery({
    queryKey: ['content', 'source', place, reason],
    queryFn: () => ticket.source(reason),
    staleTime: 'static',
    retry: false,
    meta: { quiet: true },
  });
  return (
    <Stack>
      <Row>
        <Button size="small" onClick={onBack}>
          {text('content.backToMessage')}
        </Button>
        <Button size="small" appearance="subtle" aria-pressed={asWhole} onClick={() => setAsWhole(!asWhole)}>
          {text(asWhole ? 'content.showHeaders' : 'content.showWholeSource')}
        </Button>
      </Row>
      {read.isPending && <LoadingShape rows={6} />}
      {read.isSuccess && !read.data && <FailedState error={null} title={text('failures.retrieve')} onRetry={() => void read.refetch()} />}
      {read.data && (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- whoever has no mouse scrolls a long text by its keys
        <pre className={styles.source} tabIndex={0}>
          {asWhole ? read.data.text : headersOf(read.data.text)}
        </pre>
      )}
      {read.data?.isCut === true && asWhole && <Text size={200}>{text('content.sourceCut')}</Text>}
    </Stack>
  );
}
