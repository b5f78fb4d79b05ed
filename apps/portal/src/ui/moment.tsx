import { Tooltip } from '@fluentui/react-components';
import { useEffect, useState } from 'react';
import type { ReactElement } from 'react';
import { usePortal } from '../api/portal-context.ts';
import type { MaybeTime } from '../i18n/format.ts';
import { useFormat } from '../i18n/use-text.ts';
import { useTheme } from './theme-provider.tsx';

const everyMs = 30_000;

/** The time of the portal's clock, often enough for "3 minutes ago". */
export function useNow(intervalMs = everyMs): number {
  const { clock } = usePortal();
  const [now, setNow] = useState(() => clock.now());
  useEffect(() => clock.every(intervalMs, () => setNow(clock.now())), [clock, intervalMs]);
  return now;
}

/** A point in time: relative for a day, then the date; the exact one in the tooltip. On paper always the date. */
export function Moment({ at }: { readonly at: MaybeTime }): ReactElement {
  const format = useFormat();
  const now = useNow();
  const { isPrinted } = useTheme();
  if (!at) return <span>–</span>;
  // What has just happened is newer than the time we last looked at; it is not to come.
  const ahead = Date.parse(at) - now;
  const seenAt = ahead > 0 && ahead <= everyMs ? now + ahead : now;
  return (
    <Tooltip content={format.iso(at)} relationship="description">
      <time dateTime={at}>{isPrinted ? format.dateTime(at) : format.ago(at, seenAt)}</time>
    </Tooltip>
  );
}

/** A size; the exact number of bytes in the tooltip. */
export function Size({ bytes }: { readonly bytes: number | null }): ReactElement {
  const format = useFormat();
  if (bytes === null) return <span>–</span>;
  return (
    <Tooltip content={`${format.count(bytes)} B`} relationship="description">
      <span>{format.bytes(bytes)}</span>
    </Tooltip>
  );
}
