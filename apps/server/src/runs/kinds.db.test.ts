import type { Job, JobBody } from '@holdfast/contract/jobs';
import type * as Entries from '@holdfast/contract/jobs/kinds/all';
import type { Run } from '@holdfast/contract/monitoring';
import { testDatabase } from '@holdfast/database/testing/test-database';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { z } from 'zod';
import type * as Kinds from '../product/job-kinds.ts';
import { aTenantRow, testIds } from '../testing/rows.ts';
import type { SignedIn, TestServer } from '../testing/test-server.ts';

const testing = testDatabase(import.meta.url);

/** What the server was asked about jobs of the kind, in this order. */
const asked: string[] = [];
let server: TestServer;
let owner: SignedIn;
let tenantId: string;

/** A kind that counts to a number: it reads no workload and stores nothing. */
async function anEntry<Type extends string>(type: Type) {
  const { commonAnswer, commonBody, ordinaryActions } = await import('@holdfast/contract/jobs/kind');
  const own = { type: z.literal(type), countTo: z.int().min(1) };
  return {
    type,
    body: z.object({ ...commonBody, ...own }),
    answer: z.object({ ...commonAnswer, ...own }),
    traits: { actions: ordinaryActions },
  };
}

const countOf = (body: object): number => (body as { countTo: number }).countTo;

const dummyKind = {
  type: 'dummy',
  check: async (_scope: unknown, { body }: { body: JobBody }) => void asked.push(`check ${body.name}`),
  checkStored: async (_tx: unknown, { body }: { body: JobBody }) => void asked.push(`checkStored ${body.name}`),
  preview: async (_scope: unknown, _tenantId: string, body: JobBody) => ({
    resources: countOf(body),
    alreadyProtected: 0,
    estimatedBytes: null,
    pointsToDelete: null,
    pointsHeld: null,
  }),
  async handle({ run }: { run: { body: JobBody; workload: unknown; locationId: unknown } }) {
    asked.push(`handle ${run.body.name} ${String(run.workload)} ${String(run.locationId)}`);
    return { status: 'successful', code: null, result: { counted: countOf(run.body) } };
  },
};

// The product is loaded again with one more entry in each of its two lists of kinds. Whoever comes next in this
// process loads it without them.
beforeAll(async () => {
  vi.resetModules();
  vi.doMock('@holdfast/contract/jobs/kinds/all', async (original) => {
    const { jobKinds } = await original<typeof Entries>();
    return { jobKinds: { ...jobKinds, dummy: await anEntry('dummy'), idle: await anEntry('idle') } };
  });
  vi.doMock('../product/job-kinds.ts', async (original) => {
    const { composeKinds } = await original<typeof Kinds>();
    return { composeKinds: (...parts: Parameters<typeof composeKinds>) => [...composeKinds(...parts), dummyKind] };
  });
  const { testServer } = await import('../testing/test-server.ts');
  server = await testServer(testing, { roles: ['api', 'worker'] });
  const signedIn = await server.owner();
  owner = signedIn;
  tenantId = testIds.uuid();
  await testing.database.within({ organisationId: signedIn.organisationId, realm: 'production' }, (tx) =>
    tx
      .insertInto('tenants')
      .values(aTenantRow({ tenant_id: tenantId, name: tenantId }))
      .execute(),
  );
}, 120_000);

afterAll(async () => {
  await server.close();
  vi.doUnmock('@holdfast/contract/jobs/kinds/all');
  vi.doUnmock('../product/job-kinds.ts');
  vi.resetModules();
});

async function call<Answer>(to: string, body?: object): Promise<{ readonly status: number; readonly body: Answer }> {
  const answer = await server.send(`/apollo/api/${tenantId}/${to}`, { token: owner.tokens.main, ...(body ? { body } : {}) });
  return { status: answer.status, body: (await answer.json()) as Answer };
}

test('a kind of job that only the two lists name is checked, previewed, saved, listed, run and reported', async () => {
  const body = { type: 'dummy', name: 'Count', countTo: 7, schedule: { mode: 'afterCreation' } };
  expect((await call('jobs/preview', body)).body).toMatchObject({ resources: 7 });
  const saved = await call<Job>('jobs', body);
  expect(saved.status).toBe(201);
  expect(saved.body).toMatchObject({ type: 'dummy', countTo: 7 });
  expect(saved.body).not.toHaveProperty('workload');
  expect(saved.body).not.toHaveProperty('locationName');
  expect((await call<{ items: Job[] }>('jobs?type=dummy')).body.items).toMatchObject([{ jobId: saved.body.jobId }]);

  await expect
    .poll(async () => (await call<{ items: Run[] }>('monitoring?type=dummy')).body.items)
    .toMatchObject([{ jobName: 'Count', type: 'dummy', status: 'successful', workload: null }]);
  expect(asked).toEqual(['checkStored Count', 'check Count', 'checkStored Count', 'handle Count null null']);
});

test('what the kind does not accept is refused with the field, and so is a type that nothing handles', async () => {
  const wrong = await call<{ errors: object }>('jobs', { type: 'dummy', name: 'Less', countTo: 0, schedule: { mode: 'disabled' } });
  expect([wrong.status, Object.keys(wrong.body.errors)]).toEqual([400, ['countTo']]);
  const unknown = await call<{ code: string }>('jobs', { type: 'nothing', name: 'None', schedule: { mode: 'disabled' } });
  expect([unknown.status, unknown.body.code]).toEqual([400, 'request.invalid']);
  const idle = await call<{ code: string }>('jobs', { type: 'idle', name: 'Idle', countTo: 1, schedule: { mode: 'disabled' } });
  expect([idle.status, idle.body.code]).toEqual([400, 'jobs.type-unavailable']);
});
