import { Text, Tooltip } from '@fluentui/react-components';
import { CloudCheckmarkRegular, CloudDismissRegular } from '@fluentui/react-icons';
import type { ReactElement } from 'react';
import { useTenant } from '../../features/tenants/index.ts';
import { useCodeText } from '../../i18n/use-code-text.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';

const names = {
  reachable: 'shell.microsoftReachable',
  unreachable: 'shell.microsoftUnreachable',
  refused: 'shell.microsoftRefuses',
} as const;

/** Whether Microsoft 365 answers, as far as runs, synchronisations and connection tests have seen. */
export function MicrosoftMark({ className }: { readonly className: string }): ReactElement | null {
  const text = useText();
  const format = useFormat();
  const codeText = useCodeText();
  const { tenant } = useTenant();
  if (tenant === null || tenant.microsoft.state === 'unknown') return null;
  const { state, code, at } = tenant.microsoft;
  const isReachable = state === 'reachable';
  const since = text(isReachable ? 'shell.microsoftAnsweredAt' : 'shell.microsoftSince', { at: format.dateTime(at) });
  return (
    <Tooltip content={code === null ? since : `${since} ${codeText(code)}`} relationship="description">
      <Text size={200} className={className} role="status" aria-label={text('shell.microsoft')} tabIndex={0}>
        {isReachable ? <CloudCheckmarkRegular aria-hidden /> : <CloudDismissRegular aria-hidden />}
        {text(names[state])}
      </Text>
    </Tooltip>
  );
}
