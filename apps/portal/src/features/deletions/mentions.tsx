import { Subtitle2, Text } from '@fluentui/react-components';
import type { DeletionDetails } from '@holdfast/contract/deletions';
import type { ReactElement } from 'react';
import { useMay } from '../../api/portal-context.ts';
import { useText } from '../../i18n/use-text.ts';
import { RouterLink } from '../../ui/router-link.tsx';
import { Row } from '../../ui/layout.tsx';

const quoted = (words: string): string => `"${words.replaceAll('"', '')}"`;
const searchFor = (query: string): string => `/search?query=${encodeURIComponent(query)}`;

/** Where somebody appears beside what is theirs: searches, for whoever may run them, whose results can be deleted. */
export function Mentions({ person: { name, address } }: { readonly person: NonNullable<DeletionDetails['person']> }): ReactElement | null {
  const text = useText();
  const maySearch = useMay('search.run');
  if (!maySearch) return null;
  const elsewhere = address === '' ? '' : ` -mailbox:${quoted(address)}`;
  const searches = [
    ...(address === ''
      ? []
      : ([
          ['deletions.mentionsBy', `from:${quoted(address)}${elsewhere}`],
          ['deletions.mentionsTo', `recipients:${quoted(address)}${elsewhere}`],
        ] as const)),
    ['deletions.mentionsName', `${quoted(name)}${elsewhere}`],
  ] as const;
  return (
    <>
      <Subtitle2 as="h3">{text('deletions.mentions')}</Subtitle2>
      <Text>{text('deletions.mentionsText')}</Text>
      <Row>
        {searches.map(([label, query]) => (
          <RouterLink key={label} to={searchFor(query)}>
            {text(label)}
          </RouterLink>
        ))}
      </Row>
    </>
  );
}
