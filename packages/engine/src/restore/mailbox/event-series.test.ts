import type { CalendarCalls } from '@holdfast/m365';
import { describe, expect, it } from 'vitest';
import type { StoredEvent } from './event-body.ts';
import { createSeriesRestorer } from './event-series.ts';

/** A calendar in which a series has these occurrences, and which writes down what is asked of it. */
function aSeries(...occurrences: readonly object[]) {
  const asked: unknown[] = [];
  const calendar = {
    async *instances() {
      yield* occurrences;
    },
    updateEvent: async ({ eventId }: { readonly eventId: string }, change: { readonly subject?: string }) => {
      asked.push(['change', eventId, change.subject]);
    },
    deleteEvent: async ({ eventId }: { readonly eventId: string }) => {
      asked.push(['delete', eventId]);
    },
  } as unknown as CalendarCalls;
  const { restoreSeries } = createSeriesRestorer(calendar, 'u');
  return { asked, restore: (stored: StoredEvent) => restoreSeries(stored, { userId: 'u', eventId: 'series' }) };
}

const at = (id: string, dateTime: string, more: object = {}) => ({ id, start: { dateTime }, ...more });

describe('the exceptions of a series', () => {
  it('change the occurrence that is nearest to where they were, of those that are not changed yet', async () => {
    const { asked, restore } = aSeries(
      at('far', '2026-03-29T08:00:00.0000000'),
      at('taken', '2026-03-30T08:00:00.0000000', { type: 'exception' }),
      at('near', '2026-03-31T08:00:00.0000000'),
      at('farther', '2026-04-01T20:00:00.0000000'),
      at('nowhere', 'some time'),
    );
    expect(await restore({ exceptionOccurrences: [{ subject: 'Moved', originalStart: '2026-03-30T10:00:00Z' }] })).toEqual([]);
    expect(asked).toEqual([['change', 'near', 'Moved']]);
    // Without its original start it is looked for by the one it has.
    expect(await restore({ exceptionOccurrences: [at('x', '2026-03-29T07:00:00', { subject: 'Late' })] })).toEqual([]);
    expect(asked.at(-1)).toEqual(['change', 'far', 'Late']);
  });

  it('are named when there is no occurrence for them, or nobody knows when they were', async () => {
    const { asked, restore } = aSeries();
    const exceptionOccurrences = [{ originalStart: '2026-03-30T10:00:00Z' }, { subject: 'When?' }, at('x', 'some time')];
    expect(await restore({ exceptionOccurrences })).toEqual(['exceptionOccurrences', 'exceptionOccurrences', 'exceptionOccurrences']);
    expect(asked).toEqual([]);
  });
});

describe('the cancelled dates of a series', () => {
  it('are removed by their date in UTC when the series has no zone of its own', async () => {
    const { asked, restore } = aSeries(
      at('other', '2026-04-12T08:00:00'),
      at('moved', '2026-04-20T08:00:00', { originalStart: '2026-04-13T08:00:00Z' }),
      at('that day', '2026-04-20T08:00:00', { originalStart: '2026-04-20T08:00:00Z' }),
    );
    expect(await restore({ cancelledOccurrences: ['OID.xyz.2026-04-13', 'OID.xyz.2026-04-20'] })).toEqual([]);
    expect(asked).toEqual([
      ['delete', 'moved'],
      ['delete', 'that day'],
    ]);
  });

  it('are removed by their date in the zone of the series', async () => {
    const { asked, restore } = aSeries(at('the 12th', '2026-04-11T23:00:00'), at('the 13th', '2026-04-12T23:00:00.0000000'));
    const range = { startDate: '2026-04-06', recurrenceTimeZone: 'Tokyo Standard Time' };
    const start = { dateTime: '2026-04-05T23:00:00', timeZone: 'UTC' };
    expect(await restore({ start, recurrence: { range }, cancelledOccurrences: ['OID.xyz.2026-04-13'] })).toEqual([]);
    expect(asked).toEqual([['delete', 'the 13th']]);
  });

  it('are named when they are not among the occurrences, or have no day', async () => {
    const { asked, restore } = aSeries(at('other', '2026-04-12T08:00:00'), { id: 'empty' });
    expect(await restore({ cancelledOccurrences: ['OID.xyz.2026-04-13', 'nothing'] })).toEqual([
      'cancelledOccurrences',
      'cancelledOccurrences',
    ]);
    expect(asked).toEqual([]);
    expect(await restore({ cancelledOccurrences: null, exceptionOccurrences: null })).toEqual([]);
  });
});
