/** From a moment on, and before another one. */
export interface Span {
  readonly from: Date;
  readonly before: Date;
}

function spanOf(first: Temporal.PlainDate, next: Temporal.PlainDate, zone: string): Span {
  const moment = (date: Temporal.PlainDate): Date => new Date(date.toZonedDateTime(zone).epochMilliseconds);
  return { from: moment(first), before: moment(next) };
}

type Step = 'week' | 'month' | 'year';

function firstOf(today: Temporal.PlainDate, step: Step): Temporal.PlainDate {
  if (step === 'week') return today.subtract({ days: today.dayOfWeek - 1 });
  return step === 'month' ? today.with({ day: 1 }) : today.with({ day: 1, month: 1 });
}

const steps = { week: { weeks: 1 }, month: { months: 1 }, year: { years: 1 } } as const;

function namedSpan(name: string, today: Temporal.PlainDate, zone: string): Span | undefined {
  if (name === 'today') return spanOf(today, today.add({ days: 1 }), zone);
  if (name === 'yesterday') return spanOf(today.subtract({ days: 1 }), today, zone);
  const [which, step] = name.split(' ') as [string, Step];
  if (!(step in steps)) return undefined;
  const first = firstOf(today, step);
  return which === 'last' ? spanOf(first.subtract(steps[step]), first, zone) : spanOf(first, first.add(steps[step]), zone);
}

/** The days that a time of a query stands for, in the organisation's zone: `2024-05` is all of that May. */
export function spanOfTime(text: string, nowMs: number, zone: string): Span {
  const today = Temporal.Instant.fromEpochMilliseconds(nowMs).toZonedDateTimeISO(zone).toPlainDate();
  const named = namedSpan(text, today, zone);
  if (named) return named;
  const back = /^-(\d+)d$/.exec(text);
  if (back) return spanOf(today.subtract({ days: Number(back[1]) }), today.subtract({ days: Number(back[1]) - 1 }), zone);
  const [year = '', month, day] = text.split('-');
  const first = Temporal.PlainDate.from({ year: Number(year), month: Number(month ?? 1), day: Number(day ?? 1) });
  return spanOf(first, first.add(day ? { days: 1 } : month ? { months: 1 } : { years: 1 }), zone);
}
