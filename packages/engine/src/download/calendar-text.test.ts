import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createCalendarWriter } from './calendar-text.ts';
import { timeZoneLines } from './calendar-zone.ts';
import { foldLine, textValue } from './text-lines.ts';

const unfolded = (text: string): string[] => text.replaceAll(/\r\n[ \t]/gu, '').split('\r\n');

/** The lines of an event as a reader sees them, without those of its zone. */
function lines(event: object): string[] {
  const all = unfolded(createCalendarWriter()(event as never, 'key'));
  return all.slice(all.lastIndexOf('END:VTIMEZONE') + 1);
}

function valueOf(event: object, name: string): string | undefined {
  return lines(event).find((line) => line.startsWith(name));
}

const utc = (dateTime: string) => ({ dateTime: `${dateTime}.0000000`, timeZone: 'UTC' });
const single = { iCalUId: 'uid', subject: 'Review', start: utc('2026-03-02T08:00:00'), end: utc('2026-03-02T09:30:00') };
const weekly = {
  ...single,
  originalStartTimeZone: 'W. Europe Standard Time',
  recurrence: {
    pattern: { type: 'weekly', interval: 2, daysOfWeek: ['monday', 'thursday'], firstDayOfWeek: 'monday' },
    range: { type: 'endDate', startDate: '2026-03-02', endDate: '2026-06-29', recurrenceTimeZone: 'W. Europe Standard Time' },
  },
};
const allDay = { ...single, isAllDay: true, start: utc('2026-12-24T00:00:00'), end: utc('2026-12-27T00:00:00') };

describe('an event as a calendar file', () => {
  it('that comes once is told in UTC', () => {
    expect([valueOf(single, 'DTSTART'), valueOf(single, 'DTEND')]).toEqual(['DTSTART:20260302T080000Z', 'DTEND:20260302T093000Z']);
  });

  it('that is a series keeps the hour of its zone when the clocks change', () => {
    const all = unfolded(createCalendarWriter()(weekly, 'key'));
    expect(all).toContain('TZID:Europe/Berlin');
    expect(all).toContain('DTSTART;TZID=Europe/Berlin:20260302T090000');
    expect(all).toContain('RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TH;WKST=MO;UNTIL=20260629T215959Z');
  });

  it('that is a series on days of another date in UTC names the days of its zone', () => {
    const early = { ...weekly, originalStartTimeZone: 'Tokyo Standard Time', start: utc('2026-03-01T22:30:00') };
    expect(valueOf(early, 'DTSTART')).toBe('DTSTART;TZID=Asia/Tokyo:20260302T073000');
  });

  it('that names a day which no calendar has can not be told; those after it can', () => {
    const write = createCalendarWriter();
    const { recurrence } = weekly;
    const endless = { ...weekly, recurrence: { ...recurrence, range: { ...recurrence.range, endDate: '2026-02-30' } } };
    for (const event of [endless, { ...endless, isAllDay: true }, { ...weekly, cancelledOccurrences: ['OID.abc.2026-13-45'] }])
      expect(() => write(event, 'key')).toThrow(expect.objectContaining({ code: 'restore.unreadable' }) as Error);
    expect(unfolded(write(weekly, 'key'))).toContain('TZID:Europe/Berlin');
  });

  it('has its exceptions and cancelled dates in the form of its start', () => {
    const moved = {
      subject: 'Moved',
      originalStart: '2026-03-30T07:00:00Z',
      start: utc('2026-03-31T12:00:00'),
      end: utc('2026-03-31T13:00:00'),
    };
    const changed = lines({ ...weekly, exceptionOccurrences: [moved], cancelledOccurrences: ['OID.abc.2026-04-13'] });
    expect(changed).toContain('EXDATE;TZID=Europe/Berlin:20260413T090000');
    expect(changed).toContain('RECURRENCE-ID;TZID=Europe/Berlin:20260330T090000');
    expect(changed).toContain('DTSTART;TZID=Europe/Berlin:20260331T140000');
    expect(changed.filter((line) => line === 'UID:uid')).toHaveLength(2);
    expect(changed.filter((line) => line.startsWith('RRULE'))).toHaveLength(1);
  });

  it('of whole days has dates and no hours, its series as well', () => {
    expect([valueOf(allDay, 'DTSTART'), valueOf(allDay, 'DTEND')]).toEqual(['DTSTART;VALUE=DATE:20261224', 'DTEND;VALUE=DATE:20261227']);
    const yearly = {
      ...allDay,
      recurrence: {
        pattern: { type: 'absoluteYearly', interval: 1, dayOfMonth: 24, month: 12 },
        range: { type: 'endDate', endDate: '2030-12-24' },
      },
      cancelledOccurrences: ['OID.abc.2028-12-24'],
      exceptionOccurrences: [{ ...allDay, originalStart: '2027-12-24T00:00:00Z', start: utc('2027-12-25T00:00:00') }],
    };
    expect(valueOf(yearly, 'RRULE')).toBe('RRULE:FREQ=YEARLY;INTERVAL=1;BYMONTHDAY=24;BYMONTH=12;UNTIL=20301224');
    expect(valueOf(yearly, 'EXDATE')).toBe('EXDATE;VALUE=DATE:20281224');
    expect(valueOf(yearly, 'RECURRENCE-ID')).toBe('RECURRENCE-ID;VALUE=DATE:20271224');
  });

  it.each([
    [{ type: 'daily', interval: 3 }, 'FREQ=DAILY;INTERVAL=3'],
    [{ type: 'relativeMonthly', interval: 1, daysOfWeek: ['tuesday'], index: 'last' }, 'FREQ=MONTHLY;INTERVAL=1;BYDAY=-1TU'],
    [
      { type: 'relativeMonthly', interval: 1, daysOfWeek: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'], index: 'first' },
      'FREQ=MONTHLY;INTERVAL=1;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=1',
    ],
    [{ type: 'absoluteMonthly', interval: 1, dayOfMonth: 31 }, 'FREQ=MONTHLY;INTERVAL=1;BYMONTHDAY=28,29,30,31;BYSETPOS=-1'],
    [
      { type: 'relativeYearly', interval: 1, daysOfWeek: ['sunday'], index: 'second', month: 5 },
      'FREQ=YEARLY;INTERVAL=1;BYDAY=2SU;BYMONTH=5',
    ],
    [{ type: 'weekly', interval: 1, daysOfWeek: ['sunday'] }, 'FREQ=WEEKLY;INTERVAL=1;BYDAY=SU;WKST=SU'],
  ])('repeats by %j', (pattern, rule) => {
    expect(valueOf({ ...single, recurrence: { pattern, range: { type: 'numbered', numberOfOccurrences: 5 } } }, 'RRULE')).toBe(
      `RRULE:${rule};COUNT=5`,
    );
    expect(valueOf({ ...single, recurrence: { pattern, range: { type: 'noEnd' } } }, 'RRULE')).toBe(`RRULE:${rule}`);
  });

  it('leaves out what the service did not say, and never a whole event', () => {
    const bare = lines({
      subject: 'Sometime',
      start: null,
      end: { dateTime: 'one day' },
      lastModifiedDateTime: '2026-03-01T08:00:00+01:00',
    });
    expect(bare.slice(0, 5)).toEqual(['BEGIN:VEVENT', 'UID:key', 'DTSTAMP:20260301T070000Z', 'SUMMARY:Sometime', 'END:VEVENT']);
    expect(valueOf({ ...single, iCalUId: '', start: { dateTime: '2026-03-02T08:00:00', timeZone: 'Nowhere' } }, 'DTSTART')).toBe(
      'DTSTART:20260302T080000Z',
    );
    const people = lines({
      ...single,
      organizer: {},
      attendees: [{ emailAddress: { address: 'ben@example.org' } }, { emailAddress: { name: 'Nobody' } }],
    });
    expect(people.filter((line) => line.includes('mailto'))).toEqual(['ATTENDEE;PARTSTAT=NEEDS-ACTION:mailto:ben@example.org']);
    expect(lines({ ...single, body: { contentType: 'text', content: '<b>' } })).toContain('DESCRIPTION:<b>');
    const hidden = lines({ ...single, sensitivity: 'confidential', isCancelled: true });
    expect(hidden).toEqual(expect.arrayContaining(['CLASS:CONFIDENTIAL', 'STATUS:CANCELLED']));
  });

  it('that is a series without a zone is told in UTC with its dates; an occurrence of a whole day may have hours', () => {
    const range = { type: 'endDate', endDate: '2026-03-31' };
    const daily = { ...single, recurrence: { pattern: { type: 'daily' }, range }, cancelledOccurrences: ['OID.abc.2026-03-05', 'nothing'] };
    expect(lines(daily).filter((line) => /^(?:RRULE|EXDATE)/u.test(line))).toEqual([
      'RRULE:FREQ=DAILY;INTERVAL=1;UNTIL=20260331T235959Z',
      'EXDATE:20260305T080000Z',
    ]);
    expect(valueOf({ ...daily, start: undefined }, 'EXDATE')).toBeUndefined();
    const timed = { ...single, isAllDay: false, start: utc('2027-12-24T18:00:00') };
    const moved = lines({ ...allDay, recurrence: { pattern: null, range: null }, exceptionOccurrences: [timed] });
    expect(moved).toEqual(
      expect.arrayContaining(['RRULE:FREQ=DAILY;INTERVAL=1', 'RECURRENCE-ID;VALUE=DATE:20271224', 'DTSTART:20271224T180000Z']),
    );
  });

  it.each([
    [{ type: 'weekly', daysOfWeek: ['someday'], firstDayOfWeek: 'never' }, 'FREQ=WEEKLY;INTERVAL=1;WKST=SU'],
    [{ type: 'relativeMonthly', daysOfWeek: ['monday'], index: 'umpteenth' }, 'FREQ=MONTHLY;INTERVAL=1;BYDAY=1MO'],
    [{ type: 'lunar' }, 'FREQ=DAILY;INTERVAL=1'],
    [{ type: 'absoluteYearly' }, 'FREQ=YEARLY;INTERVAL=1'],
  ])('repeats as nearly as can be said by a pattern that nobody knows (%j)', (pattern, rule) => {
    expect(valueOf({ ...single, recurrence: { pattern, range: { type: 'numbered' } } }, 'RRULE')).toBe(`RRULE:${rule}`);
  });

  it('says who was asked, and no name or text begins a line of its own', () => {
    const awkward = lines({
      ...single,
      subject: 'A; B, C\\D\r\nATTENDEE:mailto:eve@example.org',
      body: { contentType: 'html', content: '<p>Gr&uuml;&#223;e &amp; more</p><script>alert(1)</script>' },
      organizer: { emailAddress: { name: 'Ann "The Boss"\r\nX:1', address: 'ann@example.org\r\nX:2' } },
      attendees: [{ type: 'optional', status: { response: 'accepted' }, emailAddress: { name: 'Ben; C', address: 'ben@example.org' } }],
      categories: ['Red, dark', 'Work'],
      sensitivity: 'private',
      showAs: 'free',
    });
    expect(awkward).toContain('SUMMARY:A\\; B\\, C\\\\D\\nATTENDEE:mailto:eve@example.org');
    expect(awkward).toContain(`ORGANIZER;CN="Ann 'The Boss' X:1":mailto:ann@example.orgX:2`);
    expect(awkward).toContain('ATTENDEE;CN="Ben; C";ROLE=OPT-PARTICIPANT;PARTSTAT=ACCEPTED:mailto:ben@example.org');
    expect(awkward).toContain('CATEGORIES:Red\\, dark,Work');
    expect(awkward).toContain('CLASS:PRIVATE');
    expect(awkward).toContain('TRANSP:TRANSPARENT');
    expect(awkward.filter((line) => line.startsWith('X') || line.startsWith('ATTENDEE:'))).toEqual([]);
    expect(awkward.join('\n')).not.toContain('alert');
  });
});

describe('the lines of a calendar file', () => {
  it('are 75 octets at most and come back as they were, whatever the characters', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (text) => {
        const line = `SUMMARY:${textValue(text)}`;
        const folded = foldLine(line);
        expect(folded.split('\r\n').every((part) => Buffer.byteLength(part) <= 75 && part.isWellFormed())).toBe(true);
        expect(unfolded(folded)).toEqual([line.toWellFormed()]);
      }),
    );
  });
});

describe('a zone of a calendar file', () => {
  interface Observance {
    readonly offsetFrom: number;
    readonly offsetTo: number;
    readonly onsets: readonly string[];
  }

  function seconds(text: string): number {
    const [, sign, hours, minutes, rest = '0'] = /^([+-])(\d\d)(\d\d)(\d\d)?$/u.exec(text) ?? [];
    return (sign === '-' ? -1 : 1) * (Number(hours) * 3_600 + Number(minutes) * 60 + Number(rest));
  }

  /** What a reader makes of the lines. */
  function observancesOf(zone: string): Observance[] {
    const found: Record<string, string>[] = [];
    for (const line of timeZoneLines(zone)) {
      const [name, value] = [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1)];
      if (name === 'BEGIN' && value !== 'VTIMEZONE') found.push({});
      const last = found.at(-1);
      if (last) last[name] = value;
    }
    return found.map((one) => ({
      offsetFrom: seconds(one['TZOFFSETFROM'] ?? ''),
      offsetTo: seconds(one['TZOFFSETTO'] ?? ''),
      onsets: [one['DTSTART'] ?? '', ...(one['RDATE'] ?? '').split(',').filter((date) => date !== '')],
    }));
  }

  it.each(['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu', 'America/Sao_Paulo', 'Pacific/Apia'])(
    '%s has the offset of every moment',
    (zone) => {
      const onsets = observancesOf(zone)
        .flatMap(({ offsetFrom, offsetTo, onsets: dates }) =>
          dates.map((date) => {
            const local = Date.parse(date.replace(/(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)/u, '$1-$2-$3T$4:$5:$6Z'));
            return { atMs: local - offsetFrom * 1_000, offsetTo };
          }),
        )
        .sort((a, b) => a.atMs - b.atMs);
      fc.assert(
        fc.property(fc.integer({ min: Date.UTC(1970, 0, 2), max: Date.UTC(2069, 11, 30) }), (atMs) => {
          const known = onsets.findLast((onset) => onset.atMs <= atMs)?.offsetTo;
          const real = Temporal.Instant.fromEpochMilliseconds(atMs).toZonedDateTimeISO(zone).offsetNanoseconds / 1e9;
          expect(known).toBe(real);
        }),
        { numRuns: 200 },
      );
    },
  );
});
