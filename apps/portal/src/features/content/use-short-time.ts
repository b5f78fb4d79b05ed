import { usePortal } from '../../api/portal-context.ts';
import type { MaybeTime } from '../../i18n/format.ts';
import { useFormat } from '../../i18n/use-text.ts';

const dayMs = 86_400_000;

/** A time as a mail program's list has it: of today the hour, of this week the weekday, before that the date. */
export function useShortTime(): (at: MaybeTime) => string {
  const { clock } = usePortal();
  const format = useFormat();
  const weekday = new Intl.DateTimeFormat(format.locale, { weekday: 'short', hour: '2-digit', minute: '2-digit' });
  return (at) => {
    if (!at) return format.date(at);
    const time = new Date(at);
    const now = new Date(clock.now());
    const midnight = new Date(now.getFullYear(), now.getMonth(), now.getDate()).getTime();
    const since = midnight - time.getTime();
    if (time.getTime() > now.getTime() || since > 6 * dayMs) return format.date(at);
    return since <= 0 ? format.timeOfDay(at) : weekday.format(time);
  };
}
