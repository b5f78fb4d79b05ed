import { expect, test } from 'vitest';
import { jobs } from '../jobs.ts';
import { legacyRestore, scheduledJobs } from './jobs.ts';

test('what a job is refused for is declared on the legacy surface as well', () => {
  for (const name of ['create', 'update', 'remove', 'start', 'stop'] as const)
    expect(scheduledJobs[name].errors, name).toEqual(jobs[name].errors);
  for (const route of Object.values(legacyRestore)) expect(route.errors, route.path).toEqual(jobs.create.errors);
});
