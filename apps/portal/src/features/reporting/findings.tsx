import { Text } from '@fluentui/react-components';
import type { ReactElement } from 'react';
import { Stack } from '../../ui/layout.tsx';

/** What a verification or drill found, line by line; a dash when that is nothing. */
export function Findings({ lines }: { readonly lines: readonly string[] }): ReactElement {
  if (lines.length === 0) return <>–</>;
  return (
    <Stack>
      {lines.map((line) => (
        <Text key={line} wrap>
          {line}
        </Text>
      ))}
    </Stack>
  );
}
