import { Subtitle2, Text } from '@fluentui/react-components';
import type { ReactElement } from 'react';
import { useText } from '../../i18n/use-text.ts';
import { Facts, Stack } from '../../ui/layout.tsx';

const shown = [
  'words',
  'phrase',
  'people',
  'period',
  'files',
  'parts',
  'near',
  'folders',
  'sent',
  'identifiers',
  'attachments',
  'protection',
  'links',
  'header',
  'classes',
  'language',
  'label',
  'places',
  'invoices',
  'archive',
  'deleted',
  'holds',
  'cases',
] as const;

/** What can be written into the box, while nothing has been searched for yet. */
export function SyntaxHelp(): ReactElement {
  const text = useText();
  return (
    <Stack>
      <Text>{text('search.start')}</Text>
      <Subtitle2 as="h2">{text('search.help')}</Subtitle2>
      <Facts items={shown.map((name) => [text(`search.examples.${name}`), text(`search.meanings.${name}`)] as const)} />
    </Stack>
  );
}
