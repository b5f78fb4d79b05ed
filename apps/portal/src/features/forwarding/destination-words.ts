import type { Destination } from '@holdfast/contract/forwarding';
import { useText } from '../../i18n/use-text.ts';
import type { Status } from '../../ui/status-badge.tsx';

/** Where the events of a destination go, in one line. */
export function receiverOf({ kind, host, port, url, folder }: Destination): string {
  if (kind === 'syslog') return `${host ?? ''}:${port ?? ''}`;
  return (kind === 'webhook' ? url : folder) ?? '';
}

/** How a destination is doing. */
export function useStateOf(): (destination: Destination) => { readonly status: Status; readonly words: string } {
  const text = useText();
  return ({ isEnabled, failingSince, lastFailure, backlog }) => {
    if (!isEnabled) return { status: 'disabled', words: text('forwarding.paused') };
    if (failingSince !== null)
      return {
        status: 'failed',
        words: lastFailure === null ? text('forwarding.failing') : text(`forwarding.failures.${lastFailure.reason}`),
      };
    return backlog > 0 ? { status: 'running', words: text('forwarding.waiting') } : { status: 'active', words: text('forwarding.sending') };
  };
}
