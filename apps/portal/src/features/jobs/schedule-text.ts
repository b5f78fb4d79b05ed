import type { Schedule } from '@holdfast/contract/jobs/schedule';
import type { Format } from '../../i18n/format.ts';
import type { Translate } from '../../i18n/phrase-key.ts';
import { dayNames } from './job-words.ts';

/** When a job runs, in words. Other times on the page are in the reader's zone: a schedule of another zone names it. */
export function scheduleText(schedule: Schedule, text: Translate, format: Format): string {
  const words = wordsOf(schedule, text, format);
  const isElsewhere = 'timeZone' in schedule && schedule.timeZone !== format.timeZone();
  return isElsewhere ? text('jobs.inZone', { schedule: words, zone: schedule.timeZone }) : words;
}

function wordsOf(schedule: Schedule, text: Translate, format: Format): string {
  switch (schedule.mode) {
    case 'afterCreation':
      return text('jobs.afterCreation');
    case 'daily':
      return text('jobs.dailyAt', { time: schedule.time });
    case 'weekly': {
      const names = schedule.weekdays.toSorted((left, right) => left - right).map((day) => text(dayNames[day - 1] ?? 'common.missing'));
      return text('jobs.weeklyAt', { days: names.join(', '), time: schedule.time });
    }
    case 'date':
      return text('jobs.dateAt', { date: format.date(`${schedule.date}T12:00:00Z`), time: schedule.time });
    case 'interval':
      return text('jobs.everyN', { count: schedule.everyMinutes });
    case 'disabled':
      return text('jobs.modeDisabled');
  }
}
