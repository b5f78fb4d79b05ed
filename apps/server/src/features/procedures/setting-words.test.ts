import { expect, test } from 'vitest';
import { settingWords } from './setting-words.ts';

const english = settingWords('en', 'Europe/Berlin');
const german = settingWords('de', 'Europe/Berlin');

test('schedules and retention are sentences of the portal, in both languages', () => {
  const daily = '{"mode":"daily","time":"22:00","timeZone":"Europe/Berlin"}';
  expect(english('jobs', 'schedule', daily)).toBe('Daily at 22:00 (Europe/Berlin)');
  expect(german('jobs', 'schedule', daily)).toBe('Täglich um 22:00 (Europe/Berlin)');
  const weekly = '{"mode":"weekly","time":"06:30","timeZone":"UTC","weekdays":[5,1]}';
  expect(english('jobs', 'schedule', weekly)).toBe('Monday, Friday at 06:30 (UTC)');
  expect(english('jobs', 'schedule', '{"mode":"date","date":"2026-12-24","time":"12:00","timeZone":"UTC"}')).toBe(
    '24 December 2026 at 12:00 (UTC)',
  );
  expect(english('jobs', 'schedule', '{"mode":"interval","everyMinutes":60}')).toBe('Every 60 minutes');
  expect(german('jobs', 'schedule', '{"mode":"disabled"}')).toBe('Deaktiviert');
  expect(english('jobs', 'retention', '{"mode":"days","days":1}')).toBe('For 1 day');
  expect(german('jobs', 'retention', '{"mode":"count","count":30}')).toBe('Die neuesten 30');
  expect(english('jobs', 'retention', '{"mode":"gfs","daily":7,"weekly":4,"monthly":12,"yearly":2}')).toBe(
    'The newest of 7 days, 4 weeks, 12 months, 2 years',
  );
});

test('a code is the word for it, and the same name means something else in another part', () => {
  expect([english('jobs', 'kind', 'drill'), english('locations', 'kind', 's3')]).toEqual(['Restore drill', 'S3 bucket']);
  expect([german('organisation', 'contentAccess', 'strict'), german('organisation', 'notice', 'false')]).toEqual(['Streng', 'Nein']);
  expect(english('connection', 'credential', 'certificate')).toBe('Certificate');
  expect(english('locations', 'lock', 'compliance')).toBe('Compliance: nobody may lift it');
  expect(german('members', 'role', 'auditor')).toBe('Prüfer');
  expect(english('proxyRights', 'may', 'read, export')).toBe('Read and search, Download');
  expect(english('proxyRights', 'until', '2027-01-31T23:30:00+00:00')).toBe('1 February 2027');
});

test('the terms of a retention policy are those of its page, and nobody who could approve is a day of delay', () => {
  const period = '{"about":"messages","length":{"amount":1,"unit":"months"},"start":"day","anchor":"event","eventKind":"leftCompany"}';
  expect(english('policies', 'period', period)).toBe('1 month from that day · Left the company');
  expect(german('policies', 'period', period)).toBe('1 Monat ab diesem Tag · Ausgeschieden');
  expect([english('policies', 'fiscalYearEnd', '3'), german('policies', 'fiscalYearEnd', '3')]).toEqual(['March', 'März']);
  expect(english('policies', 'approver', 'delay')).toBe('24 hours of delay');
  expect(german('policies', 'subject', 'everything')).toBe('Alles Archivierte, jetzt und später');
  expect(english('holds', 'subject', 'everything')).toBe('everything');
});

test('what has no word stays as it is, and nothing is a dash', () => {
  expect(english('jobs', 'schedule', 'not json')).toBe('not json');
  expect(english('jobs', 'retention', '{"mode":"of an earlier version"}')).toBe('{"mode":"of an earlier version"}');
  expect(english('jobs', 'kind', 'unknown')).toBe('unknown');
  expect(english('holds', 'reason', 'true')).toBe('true');
  expect(english('holds', 'reason', '')).toBe('–');
});
