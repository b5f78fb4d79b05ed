import { Link, Text } from '@fluentui/react-components';
import type { SearchCoverage } from '@holdfast/contract/search';
import type { ReactElement } from 'react';
import { useFormat, useText } from '../../i18n/use-text.ts';

interface CoverageProps {
  readonly total: number;
  readonly coverage: SearchCoverage;
  /** Whether words of pictures and scanned documents are recognised, where that is known. */
  readonly recognisesScans?: boolean;
  /** Lists what could not be read, where it can be searched for. */
  readonly onUnread?: () => void;
}

const reasons = ['encrypted', 'unsupported', 'tooLarge', 'failed'] as const;

/** What is said of pictures and scanned documents, whose words can only be recognised. */
function useScanSentences({ coverage, recognisesScans }: CoverageProps): readonly string[] {
  const text = useText();
  const format = useFormat();
  const { scansWaiting, scansRead, scansFailed } = coverage;
  const waiting = recognisesScans === true ? 'search.scans.waiting' : 'search.scans.off';
  return [
    ...(scansRead > 0 ? [text('search.scans.read', { count: format.count(scansRead) })] : []),
    ...(scansWaiting > 0 ? [text(waiting, { count: format.count(scansWaiting) })] : []),
    ...(scansWaiting > 0 && recognisesScans === false ? [text('search.scans.howToStart')] : []),
    ...(scansFailed > 0 ? [text('search.scans.failed', { count: format.count(scansFailed) })] : []),
  ];
}

/** How much was found, how much of what is kept was looked at, and what of it could not be read. */
export function Coverage(props: CoverageProps): ReactElement {
  const { total, coverage, onUnread } = props;
  const text = useText();
  const format = useFormat();
  const scans = useScanSentences(props);
  const pending = coverage.items - coverage.searched;
  const met = reasons.filter((reason) => coverage[reason] > 0);
  const unreadable = met.reduce((sum, reason) => sum + coverage[reason], 0);
  const counts = met.map((reason) => text(`search.unreadableBy.${reason}`, { count: format.count(coverage[reason]) }));
  const sentences = [
    text('search.coverage', { searched: format.count(coverage.searched), items: format.count(coverage.items) }),
    ...(pending > 0 ? [text('search.pending', { count: format.count(pending) })] : []),
    ...(unreadable > 0 ? [text('search.unreadable', { count: format.count(unreadable), reasons: counts.join(', ') })] : []),
    ...scans,
  ];
  return (
    <div role="status">
      <Text weight="semibold" block>
        {text('search.hits', { count: total })}
      </Text>
      <Text size={200}>{sentences.join(' ')}</Text>{' '}
      {unreadable + coverage.scansFailed > 0 && onUnread !== undefined && (
        <Link as="button" type="button" onClick={onUnread}>
          {text('search.showUnread')}
        </Link>
      )}
    </div>
  );
}
