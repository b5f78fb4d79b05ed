import type { ReactElement } from 'react';
import { useTenant } from '../../features/tenants/index.ts';
import { useCodeText } from '../../i18n/use-code-text.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { StatePill } from './state-pill.tsx';

const names = {
  reachable: 'shell.microsoftReachable',
  unreachable: 'shell.microsoftUnreachable',
  refused: 'shell.microsoftRefuses',
} as const;

/** Whether Microsoft 365 answers, as far as runs, synchronisations and connection tests have seen. */
export function MicrosoftMark({ className }: { readonly className?: string }): ReactElement {
  const text = useText();
  const format = useFormat();
  const codeText = useCodeText();
  const { tenant } = useTenant();
  const label = text('shell.microsoft');
  if (tenant === null || tenant.microsoft.state === 'unknown') {
    const words = text('shell.microsoftUnknown');
    return <StatePill label={label} state="unknown" words={words} hint={words} className={className} />;
  }
  const { state, code, at } = tenant.microsoft;
  const isReachable = state === 'reachable';
  const words = text(names[state]);
  const since = text(isReachable ? 'shell.microsoftAnsweredAt' : 'shell.microsoftSince', { at: format.dateTime(at) });
  const hint = [words, since, ...(code === null ? [] : [codeText(code)])].join(' – ');
  return <StatePill label={label} state={isReachable ? 'good' : 'bad'} words={words} hint={hint} className={className} />;
}
