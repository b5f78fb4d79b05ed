import { Subtitle2, Text } from '@fluentui/react-components';
import { imports } from '@holdfast/contract/imports';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { read } from '../../api/queries.ts';
import { useCodeText } from '../../i18n/use-code-text.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { Stack } from '../../ui/layout.tsx';

const shown = 20;

interface ImportFaultsProps {
  readonly tenantId: string;
  readonly jobId: string;
  readonly failed: number;
}

/** What could not be taken in: file, place and reason. */
export function ImportFaults({ tenantId, jobId, failed }: ImportFaultsProps): ReactElement | null {
  const text = useText();
  const format = useFormat();
  const codeText = useCodeText();
  const faults = useQuery({
    ...read(imports.faults, { params: { tenantId, jobId }, query: { limit: shown }, quiet: true }),
    enabled: failed > 0,
  });
  const found = faults.data;
  if (failed === 0 || found === undefined) return null;
  return (
    <Stack>
      <Subtitle2 as="h3">{text('imports.faults', { count: found.total, shown: format.count(found.total) })}</Subtitle2>
      <ul aria-label={text('imports.faultList')}>
        {found.items.map(({ faultId, fileName, offset, code }) => (
          <li key={faultId}>
            <Text weight="semibold">{text('imports.faultAt', { name: fileName, offset: format.count(offset) })}</Text> {codeText(code)}
          </li>
        ))}
      </ul>
    </Stack>
  );
}
