import { jobBody, jobSource } from '@holdfast/contract/jobs';
import { expect, test } from 'vitest';
import { aJob } from '../../../testing/samples.ts';
import { checkDraft, draftOf, emptyDraft, stepsOf } from './draft.ts';

const locationId = '01900000-0000-7000-8000-000000000005';
const now = Date.parse('2026-11-21T09:00:00Z');
const good = emptyDraft({ name: 'Mail every night', locationId });

function faultsOf(given: Parameters<typeof emptyDraft>[0]): readonly (readonly [string, string])[] {
  return checkDraft({ ...good, ...given }, now).faults.map((fault) => [fault.field, fault.message] as const);
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
  const { body } = checkDraft({ ...good, workload: 'sharepoint', coverage: 'chosen', sites: [site], users: [site] }, now);
  expect(body).toMatchObject({
    type: 'backup',
    workload: 'sharepoint',
    source: { everyone: false, sites: [site], users: [] },
    schedule: { mode: 'daily', time: '22:00' },
  });
});

test('who is left out belongs to the workload, and comes back with a saved job', () => {
  const adele = { id: 'a', name: 'Adele', address: 'adele@contoso.example' };
  const guests = { id: 'g', name: 'Guests', address: '' };
  const excluded = { people: [adele, guests], sites: [], teams: [] };
  expect(checkDraft({ ...good, excluded }, now).body).toMatchObject({ source: { excluded: [adele, guests] } });
  expect(checkDraft({ ...good, workload: 'onedrive', excluded }, now).body).toMatchObject({ source: { excluded: [adele, guests] } });
  expect(checkDraft({ ...good, workload: 'sharepoint', excluded }, now).body).toMatchObject({ source: { excluded: [] } });
  const source = jobSource.parse({ everyone: true, excluded: [guests] });
  expect(draftOf(aJob({ workload: 'teams', source }), 'UTC').excluded).toEqual({ people: [], sites: [], teams: [guests] });
});

test('beside teams users are chosen when their chats belong to the job, and only then', () => {
  const user = { id: 'a', name: 'Adele', address: '' };
  const draft = emptyDraft({ ...good, workload: 'teams', coverage: 'chosen', users: [user] });
  expect(checkDraft(draft, now).body).toBeNull();
  const withChats = checkDraft({ ...draft, options: { ...good.options, chats: true } }, now);
  expect(withChats.body).toMatchObject({ source: { users: [user], teams: [], options: { chats: true } } });
});

test('channels, members and an expression are sources of Teams, and come back with a saved job', () => {
  const channel = { id: 'c', name: 'Offers', address: '', teamId: 't', teamName: 'Sales' };
  const member = { id: 'a', name: 'Adele', address: '' };
  const draft = emptyDraft({
    ...good,
    workload: 'teams',
    coverage: 'chosen',
    channels: [channel],
    members: [member],
    teamExpression: ' ^S ',
  });
  const source = { channels: [channel], members: [member], teamExpression: '^S' };
  expect(checkDraft(draft, now).body).toMatchObject({ source });
  expect(checkDraft({ ...draft, workload: 'exchange', users: [member] }, now).body).toMatchObject({
    source: { users: [member], channels: [], members: [], teamExpression: '' },
  });
  expect(checkDraft({ ...draft, type: 'drill' }, now).body).toMatchObject({ source: { ...source, channels: [] } });
  const job = aJob({ workload: 'teams', source: jobSource.parse(source) });
  expect(draftOf(job, 'UTC')).toMatchObject({ coverage: 'chosen', ...source });
});

test('folders belong to backups of mail: a deletion takes whole restore points, and the contract refuses another', () => {
  const folders = { includeFolders: ['Inbox/Sub'], excludeFolders: ['Archive'] };
  expect(checkDraft({ ...good, ...folders }, now).body).toMatchObject({ source: folders });
  const { body } = checkDraft({ ...good, ...folders, type: 'deletion' }, now);
  expect(body).toMatchObject({ source: { includeFolders: [], excludeFolders: [] } });
  expect(jobBody.safeParse(body).success).toBe(true);
  const limited = { ...body, source: { everyone: true, ...folders } };
  expect(jobBody.safeParse(limited).error?.issues).toMatchObject([
    { path: ['source', 'includeFolders'], message: 'validation.wholePoints' },
  ]);
});

test('a job that exists comes back as its draft', () => {
  expect(draftOf(aJob({ schedule: { mode: 'interval', everyMinutes: 30 } }), 'Europe/Berlin')).toMatchObject({
    name: 'Mail every night',
    mode: 'interval',
    everyMinutes: 30,
    timeZone: 'Europe/Berlin',
  });
  const nightly = { mode: 'daily', time: '22:00', timeZone: 'Asia/Tokyo' } as const;
  expect(draftOf(aJob({ schedule: nightly }), 'Europe/Berlin')).toMatchObject(nightly);
});

test('verification covers a location and has no sources to choose', () => {
  expect(stepsOf('verify')).not.toContain('sources');
  expect(stepsOf('backup')).toEqual(['job', 'sources', 'target', 'schedule', 'summary']);
});

test('a number out of its bounds belongs to its own field and says the bounds', () => {
  expect(faultsOf({ workload: 'onedrive', options: { ...good.options, fileVersions: 501 } })).toEqual([
    ['options.fileVersions', 'rules.firstVersions'],
  ]);
  expect(faultsOf({ type: 'deletion', retentionMode: 'days', retentionDays: 0 })).toEqual([['retentionDays', 'rules.keptDays']]);
  expect(faultsOf({ type: 'deletion', retentionMode: 'count', retentionCount: 0 })).toEqual([['retentionCount', 'rules.keptCount']]);
  expect(faultsOf({ type: 'deletion', retentionMode: 'gfs', yearly: 101 })).toEqual([['yearly', 'rules.keptParts']]);
  expect(faultsOf({ type: 'verify', budgetPercent: 101 })).toEqual([['budgetPercent', 'rules.percent']]);
  expect(faultsOf({ type: 'drill', samples: 0 })).toEqual([['samples', 'rules.samples']]);
});

test('who chose nothing is told at each list of the workload, in its own words', () => {
  expect(faultsOf({ coverage: 'chosen', workload: 'sharepoint' })).toEqual([['sites', 'validation.sitesRequired']]);
  const ofTeams = faultsOf({ coverage: 'chosen', workload: 'teams' });
  expect(ofTeams).toEqual(['teams', 'channels', 'members', 'teamExpression'].map((kind) => [kind, 'validation.teamsRequired']));
  expect(faultsOf({ coverage: 'chosen' }).map(([field]) => field)).toEqual(['users', 'groups']);
});

test('a saved moment that has passed may stay, and no other one that has', () => {
  const saved = { mode: 'date', date: '2026-11-20', time: '22:00', timeZone: 'UTC' } as const;
  const draft = { ...draftOf(aJob({ schedule: saved }), 'UTC'), locationId, name: 'Another name' };
  expect(checkDraft(draft, now).body).toMatchObject({ name: 'Another name', schedule: saved });
  expect(checkDraft({ ...draft, time: '21:00' }, now).faults).toEqual([{ field: 'date', message: 'validation.futureDate' }]);
  expect(checkDraft({ ...draft, mode: 'daily' }, now).faults).toEqual([]);
});

test('a job that runs once lies ahead, by the clock of its own zone', () => {
  const once = { mode: 'date', date: '2026-11-21', timeZone: 'Europe/Berlin' } as const;
  expect(faultsOf({ ...once, time: '10:00' })).toEqual([['date', 'validation.futureDate']]);
  expect(faultsOf({ ...once, time: '10:01' })).toEqual([]);
  expect(faultsOf({ ...once, time: '09:30', timeZone: 'UTC' })).toEqual([]);
});
