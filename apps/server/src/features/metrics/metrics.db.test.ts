import { testDatabase } from '@holdfast/database/testing/test-database';
import type { Scope } from '@holdfast/database';
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aTenantRow, testIds } from '../../testing/rows.ts';
import { testServer, type TestServer } from '../../testing/test-server.ts';

const testing = testDatabase(import.meta.url);
const ended = new Date(Math.floor(Date.now() / 1_000) * 1_000 - 3_600_000);
let server: TestServer;
let scope: Scope;
let jobId: string;
let text: string;

/** An organisation with a job, three mailboxes of which one was never backed up, two ended runs and one that waits. */
async function fill(): Promise<void> {
  const tenantId = testIds.uuid();
  const locationId = testIds.uuid();
  jobId = testIds.uuid();
  const run = (given: Readonly<Record<string, string | number>>) => ({ run_id: testIds.uuid(), queued_at: ended, ...given });
  const runs = [
    run({ status: 'successful', number: 1, ended_at: ended.toISOString(), bytes: 1_000, new_bytes: 400, stored_bytes: 300 }),
    run({
      status: 'failed',
      number: 2,
      ended_at: ended.toISOString(),
      code: 'vault.storage-full',
      bytes: 5,
      new_bytes: 0,
      stored_bytes: 0,
    }),
    run({ status: 'pending', number: 3 }),
  ];
  await testing.database.within(scope, (tx) =>
    tx
      .insertInto('tenants')
      .values(aTenantRow({ tenant_id: tenantId }))
      .execute(),
  );
  const own = [scope.organisationId, 'production', tenantId] as const;
  await testing.asSuperuser(
    `insert into jobs (organisation_id, realm, tenant_id, job_id, name, type, workload, body, schedule, creator, created_at, anchored_at)
     values ($1, $2, $3, $4, 'Mail "every" night', 'backup', 'exchange', '{}', '{}', 'ann', now(), now())`,
    [...own, jobId],
  );
  await testing.database.within(scope, async (tx) => {
    for (const given of runs) {
      const common = {
        tenant_id: tenantId,
        job_id: jobId,
        job_name: 'Mail',
        type: 'backup',
        body: '{}',
        trigger: 'schedule',
        started_by: null,
      };
      const run = { ...common, workload: 'exchange', location_id: null, total: null, code: null, worker: null, ...given };
      await tx
        .insertInto('runs')
        .values(run as never)
        .execute();
    }
  });
  await testing.asSuperuser(
    `insert into locations (organisation_id, realm, tenant_id, location_id, name, kind, use, target, immutability, created_at)
     values ($1, $2, $3, $4, 'Vault', 'filesystem', 'both', '{}', '{}', now())`,
    [...own, locationId],
  );
  const newest = [ended, new Date(ended.getTime() - 10 * 86_400_000), null];
  for (const at of newest) {
    const resourceId = testIds.uuid();
    await testing.asSuperuser(
      `insert into resources (organisation_id, realm, tenant_id, resource_id, workload, kind, graph_id, name)
       values ($1, $2, $3, $4, 'exchange', 'mailbox', $4::uuid::text, 'Adele')`,
      [...own, resourceId],
    );
    if (at === null) continue;
    await testing.asSuperuser(
      `insert into catalog_sources (organisation_id, realm, source_id, location_id, resource_id, head_sequence, head_hash, head_cursor, items, bytes, newest_point_at)
       values ($1, $2, $3, $4, $5, 1, '', '', 7, 700, $6)`,
      [scope.organisationId, 'production', testIds.uuid(), locationId, resourceId, at],
    );
  }
  await testing.asSuperuser(
    `insert into run_problems (organisation_id, realm, run_id, problem_key, name, path, outcome, code, advice)
     values ($1, $2, $3, 'one', 'Adele', '/', 'recorded', 'graph.service-fault', 'none'), ($1, $2, $3, 'two', 'Adele', '/', 'gone', 'graph.gone', 'none')`,
    [scope.organisationId, 'production', runs[0]?.run_id],
  );
}

beforeAll(async () => {
  server = await testServer(testing);
  const { organisationId } = await server.owner();
  scope = { organisationId, realm: 'production' };
  await fill();
  const answer = await server.send('/metrics');
  text = await answer.text();
});
afterAll(() => server.close());

/** The value of the series of the organisation with these labels, as Prometheus reads it. */
function valueOf(name: string, labels: Readonly<Record<string, string>> = {}): number | undefined {
  const parts = [`organisation="${scope.organisationId}"`, ...Object.entries(labels).map(([label, value]) => `${label}="${value}"`)];
  const line = text.split('\n').find((found) => found.startsWith(`holdfast_${name}{`) && parts.every((part) => found.includes(part)));
  return line === undefined ? undefined : Number(line.slice(line.lastIndexOf(' ')));
}

test('the metrics say when each job last succeeded, and how old the restore points are', () => {
  const at = ended.getTime() / 1_000;
  expect(valueOf('job_last_success_timestamp_seconds', { job_id: jobId, job: String.raw`Mail \"every\" night`, type: 'backup' })).toBe(at);
  const resources = ['day', 'older', 'none'].map((age) => valueOf('resources', { workload: 'exchange', newest_point: age }));
  expect(resources).toEqual([1, 1, 1]);
  expect(valueOf('newest_point_timestamp_seconds', { newest_point: 'day' })).toBe(at);
  expect(valueOf('oldest_newest_point_timestamp_seconds', { newest_point: 'older' })).toBe(at - 10 * 86_400);
  expect(valueOf('newest_point_timestamp_seconds', { newest_point: 'none' })).toBeUndefined();
});

test('the metrics say what waits, what failed and why, and how many bytes it was', () => {
  expect(valueOf('runs', { status: 'pending' })).toBe(1);
  expect(valueOf('runs_oldest_queued_timestamp_seconds', { status: 'pending' })).toBe(ended.getTime() / 1_000);
  expect(valueOf('runs_ended_day', { status: 'failed', code: 'vault.storage-full' })).toBe(1);
  expect(valueOf('item_errors_day', { code: 'graph.service-fault' })).toBe(1);
  expect(valueOf('item_errors_day', { code: 'graph.gone' })).toBeUndefined();
  const bytes = ['read', 'new', 'stored'].map((kind) => valueOf(`run_${kind}_bytes_day`, { status: 'successful' }));
  expect(bytes).toEqual([1_000, 400, 300]);
  expect([valueOf('protected_bytes', { workload: 'exchange' }), valueOf('protected_items')]).toEqual([1_400, 14]);
});

test('every query of the Grafana dashboard names metrics and labels that exist', async () => {
  const file = new URL('../../../../../docs/operations/grafana/holdfast.json', import.meta.url);
  const dashboard = JSON.parse(await readFile(file, 'utf8')) as {
    panels: { targets: { expr: string }[] }[];
    templating: { list: { query: string }[] };
  };
  const known = new Set(
    [...text.matchAll(/^# TYPE (\S+) (\w+)$/gm)].flatMap(([, name = '', kind]) => (kind === 'histogram' ? [`${name}_bucket`] : [name])),
  );
  const queries = [
    ...dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
    ...dashboard.templating.list.map(({ query }) => query),
  ];
  const named = queries.flatMap((query) => query.match(/holdfast_\w+/g) ?? []);
  expect(named.length).toBeGreaterThan(15);
  expect(named.filter((name) => !known.has(name))).toEqual([]);
  for (const query of queries.filter((asked) => /\bholdfast_/.test(asked)))
    for (const [, list = ''] of query.matchAll(/by \(([^)]*)\)/g))
      for (const label of list.split(', ').filter((one) => one !== 'le'))
        expect([query, text.includes(`${label}="`) || label === 'state']).toEqual([query, true]);
});
