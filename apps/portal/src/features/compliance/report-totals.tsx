import { Text } from '@fluentui/react-components';
import type { ReactElement } from 'react';

/** What a report adds up to, said again when its choices change; nothing before it is known. */
export function ReportTotals({ words }: { readonly words: string | undefined }): ReactElement | null {
  if (words === undefined) return null;
  return (
    <Text role="status" weight="semibold">
      {words}
    </Text>
  );
}
