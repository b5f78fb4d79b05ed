import { Link, Text } from '@fluentui/react-components';
import type { SearchCoverage } from '@holdfast/contract/search';
import type { ReactElement } from 'react';
import { useFormat, useText } from '../../i18n/use-text.ts';

interface CoverageProps {
  readonly total: number;
  readonly coverage: SearchCoverage;
  /** Lists what could not be read, where it can be searched for. */
  readonly onUnread?: () => void;
}

const reasons = ['encrypted', 'unsupported', 'tooLarge', 'failed'] as const;

/** How much was found, how much of what is kept was looked at, and what of it could not be read. */
export function Coverage({ total, coverage, onUnread }: CoverageProps): ReactElement {
  const text = useText();
  const format = useFormat();
  const pending = coverage.items - coverage.searched;
  const met = reasons.filter((reason) => coverage[reason] > 0);
  const unreadable = met.reduce((sum, reason) => sum + coverage[reason], 0);
  const counts = met.map((reason) => text(`search.unreadableBy.${reason}`, { count: format.count(coverage[reason]) }));
  const sentences = [
    text('search.coverage', { searched: format.count(coverage.searched), items: format.count(coverage.items) }),
    ...(pending > 0 ? [text('search.pending', { count: format.count(pending) })] : []),
    ...(unreadable > 0 ? [text('search.unreadable', { count: format.count(unreadable), reasons: counts.join(', ') })] : []),
  ];
  return (
    <div role="status">
      <Text weight="semibold" block>
        {text('search.hits', { count: total })}
      </Text>
      <Text size={200}>{sentences.join(' ')}</Text>{' '}
      {unreadable > 0 && onUnread !== undefined && (
        <Link as="button" type="button" onClick={onUnread}>
          {text('search.showUnread')}
        </Link>
      )}
    </div>
  );
}
