import { expect, test } from 'vitest';
import { completeBody, countSources, jobBody, jobSource, type JobBody } from '../jobs.ts';

const common = { type: 'backup', name: 'Some job', locationId: '01900000-0000-7000-8000-000000000001', schedule: { mode: 'disabled' } };
const one = [{ id: 'a', name: 'A' }];
const channels = [{ id: 'c', name: 'C', teamId: 't', teamName: 'T' }];
const refusals = (workload: string, source: object, more: object = {}): string[] =>
  jobBody.safeParse({ ...common, workload, source, ...more }).error?.issues.map(({ path, message }) => `${path.join('.')} ${message}`) ??
  [];

test('each workload takes its own sources, and refuses those that it would pass over in silence', () => {
  for (const workload of ['exchange', 'onedrive']) {
    expect(refusals(workload, { users: one, groups: one }), workload).toEqual([]);
    expect(refusals(workload, { sites: one }), workload).toEqual(['source.sites validation.otherWorkload']);
  }
  expect(refusals('sharepoint', { sites: one })).toEqual([]);
  expect(refusals('sharepoint', { everyone: true, users: one })).toEqual(['source.users validation.otherWorkload']);
  expect(refusals('teams', { teams: one, groups: one, channels, members: one, teamExpression: '^Sales' })).toEqual([]);
  expect(refusals('exchange', { everyone: true, channels, teamExpression: 'x' })).toEqual([
    'source.channels validation.otherWorkload',
    'source.teamExpression validation.otherWorkload',
  ]);
});

test('people are sources of Teams for their chats, and only then', () => {
  expect(refusals('teams', { users: one })).toEqual(['source.users validation.otherWorkload']);
  expect(refusals('teams', { users: one, options: { chats: true } })).toEqual([]);
});

test('an expression alone is a source; its spaces are none, and its length has a limit', () => {
  expect(countSources(jobSource.parse({ teamExpression: ' ^Sales ', channels, members: one }))).toBe(3);
  expect(refusals('teams', { teamExpression: '   ' })).toEqual(['source.users validation.usersRequired']);
  expect(refusals('teams', { teamExpression: 'a'.repeat(501) })).toEqual(['source.teamExpression validation.tooLong']);
});

test('single channels are for backups: samples and restore points are of whole teams', () => {
  const whole = ['source.channels validation.wholeTeams'];
  expect(refusals('teams', { channels }, { type: 'drill' })).toEqual(whole);
  expect(refusals('teams', { channels }, { type: 'deletion', retention: { mode: 'all' } })).toEqual(whole);
  expect(refusals('teams', { channels })).toEqual([]);
});

test('a body that an earlier version has kept gets the sources that it does not have', () => {
  const { source, ...rest } = jobBody.parse({ ...common, workload: 'teams', source: { teams: one } }) as Extract<
    JobBody,
    { type: 'backup' }
  >;
  const { channels: _channels, members: _members, teamExpression: _expression, ...kept } = source;
  expect(completeBody({ ...rest, source: kept } as JobBody)).toEqual({ ...rest, source });
});
