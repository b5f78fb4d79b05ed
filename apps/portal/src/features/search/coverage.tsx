import { Text } from '@fluentui/react-components';
import type { SearchCoverage } from '@holdfast/contract/search';
import type { ReactElement } from 'react';
import { useFormat, useText } from '../../i18n/use-text.ts';

/** How much was found, and how much of what is kept was looked at. */
export function Coverage({ total, coverage }: { readonly total: number; readonly coverage: SearchCoverage }): ReactElement {
  const text = useText();
  const format = useFormat();
  const pending = coverage.items - coverage.searched;
  const unreadable = coverage.encrypted + coverage.unsupported + coverage.tooLarge + coverage.failed;
  const sentences = [
    text('search.coverage', { searched: format.count(coverage.searched), items: format.count(coverage.items) }),
    ...(pending > 0 ? [text('search.pending', { count: format.count(pending) })] : []),
    ...(unreadable > 0 ? [text('search.unreadable', { count: format.count(unreadable) })] : []),
  ];
  return (
    <div role="status">
      <Text weight="semibold" block>
        {text('search.hits', { count: total })}
      </Text>
      <Text size={200}>{sentences.join(' ')}</Text>
    </div>
  );
}
