import { expect, test } from 'vitest';
import { aJob } from '../../../testing/samples.ts';
import { checkDraft, draftOf, emptyDraft, stepsOf } from './draft.ts';

const locationId = '01900000-0000-7000-8000-000000000005';
const good = emptyDraft({ name: 'Mail every night', locationId });

function faultsOf(given: Parameters<typeof emptyDraft>[0]): readonly (readonly [string, string])[] {
  return checkDraft({ ...good, ...given }).faults.map((fault) => [fault.field, fault.message] as const);
}

test('a scheduled job needs name, time and users', () => {
  expect(faultsOf({ name: '' })).toContainEqual(['name', 'validation.nameRequired']);
  expect(faultsOf({ time: '' })).toContainEqual(['time', 'validation.timeRequired']);
  expect(faultsOf({ coverage: 'chosen' })).toContainEqual(['users', 'validation.usersRequired']);
});

test('the rules of names and times are those of the specification', () => {
  expect(faultsOf({ name: 'abc' })).toEqual([['name', 'validation.jobNameMinimum']]);
  expect(faultsOf({ name: 'a/b?c' })).toEqual([['name', 'validation.jobNameCharacters']]);
  expect(faultsOf({ time: '25:00' })).toEqual([['time', 'validation.time']]);
  expect(faultsOf({ mode: 'interval', everyMinutes: 0 })).toEqual([['everyMinutes', 'validation.everyMinutes']]);
  expect(faultsOf({ mode: 'weekly' })).toEqual([['weekdays', 'validation.weekdays']]);
});

test('a draft becomes the body of the contract, with the sources of its workload only', () => {
  const site = { id: 's', name: 'Sales', address: '' };
  const { body } = checkDraft({ ...good, workload: 'sharepoint', coverage: 'chosen', sites: [site], users: [site] });
  expect(body).toMatchObject({
    type: 'backup',
    workload: 'sharepoint',
    source: { everyone: false, sites: [site], users: [] },
    schedule: { mode: 'daily', time: '22:00' },
  });
});

test('a job that exists comes back as its draft', () => {
  expect(draftOf(aJob({ schedule: { mode: 'interval', everyMinutes: 30 } }))).toMatchObject({
    name: 'Mail every night',
    mode: 'interval',
    everyMinutes: 30,
  });
});

test('verification covers a location and has no sources to choose', () => {
  expect(stepsOf('verify')).not.toContain('sources');
  expect(stepsOf('backup')).toEqual(['job', 'sources', 'target', 'schedule', 'summary']);
});
