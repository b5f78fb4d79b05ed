import { Subtitle2, Text } from '@fluentui/react-components';
import type { ReactElement } from 'react';
import { useText } from '../../i18n/use-text.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Stack } from '../../ui/layout.tsx';
import { ExportList } from '../exports/index.ts';

/** What the reader has exported. */
export function MyExports({ tenantId }: { readonly tenantId: string }): ReactElement {
  const text = useText();
  return (
    <Stack>
      <Subtitle2 as="h2">{text('exports.title')}</Subtitle2>
      <Text>{text('exports.lead')}</Text>
      <ExportList tenantId={tenantId} empty={<EmptyState text={text('exports.empty')} />} />
    </Stack>
  );
}
