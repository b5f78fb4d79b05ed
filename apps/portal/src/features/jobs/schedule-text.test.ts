import type { Schedule } from '@holdfast/contract/jobs/schedule';
import { expect, test } from 'vitest';
import { createFormat } from '../../i18n/format.ts';
import type { Translate } from '../../i18n/phrase-key.ts';
import { scheduleText } from './schedule-text.ts';

const text: Translate = (key, values = {}) => `${key} ${Object.values(values).join(' | ')}`.trim();
const inBerlin = createFormat('en', 'Europe/Berlin');
const nightly = { mode: 'daily', time: '22:00', timeZone: 'Europe/Berlin' } as const satisfies Schedule;

test('a schedule of another zone than the reader’s names its zone', () => {
  expect(scheduleText({ ...nightly, timeZone: 'America/New_York' }, text, inBerlin)).toBe(
    'jobs.inZone jobs.dailyAt 22:00 | America/New_York',
  );
});

test('a schedule of the reader’s own zone, or of none, names no zone', () => {
  expect(scheduleText(nightly, text, inBerlin)).toBe('jobs.dailyAt 22:00');
  expect(scheduleText({ mode: 'interval', everyMinutes: 30 }, text, inBerlin)).toBe('jobs.everyN 30');
});
