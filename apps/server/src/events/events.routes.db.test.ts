import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Scope } from '@holdfast/database';
import { testDatabase } from '@holdfast/database/testing/test-database';
import { systemClock } from '@holdfast/foundation/clock';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aTenantRow } from '../testing/rows.ts';
import { announce } from './live-events.ts';
import { testServer, type TestServer } from '../testing/test-server.ts';

/** What the stream of a tenant tells of changes that somebody else makes. */
const testing = testDatabase(import.meta.url);
let server: TestServer;
let token = '';
let tenantId = '';
let scope: Scope;
let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'holdfast-events-'));
  server = await testServer(testing, { settings: { HOLDFAST_LOCATION_ROOTS: folder } });
  const owner = await server.owner();
  token = owner.tokens.main;
  const row = aTenantRow();
  tenantId = row.tenant_id;
  scope = { organisationId: owner.organisationId, realm: 'production' };
  await testing.database.within(scope, (tx) => tx.insertInto('tenants').values(row).execute());
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

interface Told {
  readonly id: string;
  readonly event: string;
  readonly data: Readonly<Record<string, string | null>>;
}

function told(text: string): Told | undefined {
  const found = /^id: (.+)\nevent: (.+)\ndata: (.+)$/u.exec(text.replace(/^(?:retry: \d+|: still here)\n+/u, ''));
  return found ? { id: found[1] ?? '', event: found[2] ?? '', data: JSON.parse(found[3] ?? '{}') as Told['data'] } : undefined;
}

/** Opens the stream and hands what it tells on, event by event. */
async function listen(headers: Readonly<Record<string, string>> = {}) {
  const answer = await server.send(`/apollo/api/${tenantId}/events`, { token, headers });
  const reader = (answer.body as ReadableStream<Uint8Array>).getReader();
  const decoder = new TextDecoder();
  let held = '';
  return {
    async next(): Promise<Told> {
      for (;;) {
        const end = held.indexOf('\n\n');
        if (end >= 0) {
          const event = told(held.slice(0, end));
          held = held.slice(end + 2);
          if (event) return event;
          continue;
        }
        const { value, done } = await reader.read();
        if (done) throw new Error('The stream has ended.');
        held += decoder.decode(value, { stream: true });
      }
    },
    close: () => reader.cancel(),
  };
}

async function call<Answer>(method: string, to: string, body?: object): Promise<Answer> {
  const answer = await server.send(`/apollo/api/${tenantId}/${to}`, { method, token, ...(body === undefined ? {} : { body }) });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${to} answered ${answer.status}: ${text}`);
  return (text === '' ? {} : JSON.parse(text)) as Answer;
}

/** The next event that is none of ours. */
async function nextOf(stream: Awaited<ReturnType<typeof listen>>): Promise<Told> {
  for (;;) {
    const event = await stream.next();
    if (event.data['jobId'] !== 'ready') return event;
  }
}

/** The process begins to hear the database in the background: waits until it does. */
async function untilHeard(stream: Awaited<ReturnType<typeof listen>>): Promise<void> {
  const event = { name: 'jobs.changed', tenantId, data: { jobId: 'ready' } } as const;
  const stop = systemClock.every(50, () => void testing.database.within(scope, (tx) => announce(tx, scope, event)));
  while ((await stream.next()).data['jobId'] !== 'ready');
  stop();
}

test('a location and each change of a job are told to who listens, and what was missed is told after the last that was heard', async () => {
  const first = await listen({ 'last-event-id': 'elsewhere-1' });
  // Another process gave this id: nobody knows what was missed, so everything is to be read again.
  expect([(await first.next()).event, (await first.next()).event]).toEqual(['jobs.changed', 'tenants.changed']);
  await untilHeard(first);
  const { locationId } = await call<{ locationId: string }>('POST', 'locations', {
    kind: 'filesystem',
    name: 'Vault',
    path: path.join(folder, 'vault'),
  });
  const located = await nextOf(first);
  expect(located).toMatchObject({ event: 'tenants.changed', data: { tenantId } });
  await first.close();

  const job = {
    type: 'backup',
    name: 'Mail',
    workload: 'exchange',
    source: { everyone: true },
    locationId,
    schedule: { mode: 'disabled' },
  };
  const { jobId } = await call<{ jobId: string }>('POST', 'jobs', job);
  await call('PUT', `jobs/${jobId}`, { ...job, name: 'Mail renamed' });
  await call('DELETE', `jobs/${jobId}`);
  const again = await listen({ 'last-event-id': located.id });
  for (let change = 0; change < 3; change += 1) expect(await nextOf(again)).toMatchObject({ event: 'jobs.changed', data: { jobId } });
  await again.close();
});
