import { expect, test } from 'vitest';
import { jobAddress } from '../jobs.ts';

test('a job is shown on the page of its kind, else on that of its workload', () => {
  const jobId = '01900000-0000-7000-8000-000000000001';
  expect(jobAddress({ jobId, type: 'deletion', workload: 'teams' })).toBe(`/archive/deletion-jobs/${jobId}`);
  expect(jobAddress({ jobId, type: 'drill', workload: 'teams' })).toBe(`/teams/jobs/${jobId}`);
  expect(jobAddress({ jobId, type: 'backup', workload: 'exchange' })).toBe(`/backup-and-restore/backup-jobs/${jobId}`);
});
