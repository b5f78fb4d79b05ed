import { Subtitle2, Text } from '@fluentui/react-components';
import type { LinkedFile } from '@holdfast/contract/content';
import type { ReactElement } from 'react';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { Facts, Stack } from '../../ui/layout.tsx';

/** The kept files that an item links to, each in the version of when the item was sent. */
export function LinkedFiles({ links }: { readonly links: readonly LinkedFile[] }): ReactElement {
  const text = useText();
  const format = useFormat();
  return (
    <Stack>
      <Subtitle2 as="h3">{text('content.asSent.title')}</Subtitle2>
      <Text size={200}>{text('content.asSent.lead')}</Text>
      <Facts
        items={links.map(({ name, owner, version, modifiedAt, rule }) => {
          const said = text('content.asSent.version', { version, date: format.dateTime(modifiedAt), owner });
          if (rule === 'last-change-before') return [name, said];
          const exception = text(rule === 'earlier-kept' ? 'content.asSent.rules.earlierKept' : 'content.asSent.rules.firstKeptAfter');
          return [name, `${said} ${exception}`];
        })}
      />
    </Stack>
  );
}
