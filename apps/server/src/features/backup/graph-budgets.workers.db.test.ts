import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { testDatabase } from '@holdfast/database/testing/test-database';
import type { BudgetCharge, BudgetPort } from '@holdfast/m365';
import { startSimulator, type Simulator } from '@holdfast/m365-simulator';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testIds as ids } from '../../testing/rows.ts';
import { createGraphBudgets } from './graph-budgets.store.ts';
import { clientOver, openAnew, type WorkerGround } from './testing/budget-ground.ts';
import type { WorkerReport, WorkerTask } from './testing/budget-worker.ts';

const run = promisify(execFile);
const worker = fileURLToPath(new URL('testing/budget-worker.ts', import.meta.url));
const { database, applicationUrl } = testDatabase(import.meta.url);
let simulator: Simulator;
let ground: WorkerGround;

beforeAll(async () => {
  simulator = await startSimulator({ recipes: ['tiny'], seed: 9 });
  const [access] = simulator.tenants;
  if (!access) throw new Error('The simulator has no tenant.');
  const { graph, login, ca } = simulator;
  ground = {
    databaseUrl: applicationUrl,
    graph,
    login,
    ca,
    tenantId: access.tenantId,
    clientId: access.clientId,
    clientSecret: access.clientSecret,
  };
});

afterAll(async () => {
  await simulator.close();
});

async function all<T>(values: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const value of values) list.push(value);
  return list;
}

/** What there is to read: the inboxes of two people, and one channel. */
async function reading(): Promise<Pick<WorkerTask, 'messages' | 'channels'>> {
  const client = clientOver(ground, createGraphBudgets({ database, ids }));
  const users = simulator.control.owners(ground.tenantId, 'mail').slice(0, 2);
  const messages = await Promise.all(
    users.map(async ({ owner }) =>
      (await all(client.exchange.mail.messages({ userId: owner, folderId: 'inbox' }))).map(({ id }) => ({ userId: owner, messageId: id })),
    ),
  );
  const teamId = simulator.control.owners(ground.tenantId, 'teams')[0]?.owner ?? '';
  const [channel] = await all(client.teams.channels({ teamId }));
  const channelId = channel?.id ?? '';
  const posts = await all(client.teams.messages({ teamId, channelId }));
  await client.close();
  return { messages: messages.flat(), channels: posts.slice(0, 1).map(({ id }) => ({ teamId, channelId, messageId: id })) };
}

async function startWorker(task: WorkerTask): Promise<WorkerReport> {
  const { stdout } = await run(process.execPath, [worker, JSON.stringify(task)], { maxBuffer: 2 ** 26 });
  return JSON.parse(stdout) as WorkerReport;
}

/** Requests that any worker asked for when a pause of their bucket was known, and that were let through before its end. */
function early(reports: readonly WorkerReport[]): number {
  const grants = reports.flatMap((report) => report.grants);
  return reports
    .flatMap((report) => report.pauses)
    .flatMap((pause) =>
      grants.filter(
        (grant) => grant.bucket === pause.bucket && grant.askedMs > pause.knownMs && grant.grantedMs < pause.begunMs + pause.forMs,
      ),
    ).length;
}

/**
 * Grants of a bucket that lets one request through in a time, closer than that. The moment of the decision lies between
 * asking and being granted; when a request arrives is not in the hands of who sends it.
 */
function tooClose(reports: readonly WorkerReport[], bucket: string, apartMs: number): readonly number[] {
  const grants = reports.flatMap((report) => report.grants).filter((grant) => grant.bucket.endsWith(bucket));
  if (grants.length < reports.length) throw new Error(`Only ${grants.length} grants of ${bucket}.`);
  grants.sort((a, b) => a.grantedMs - b.grantedMs);
  return grants.flatMap((grant, at) => {
    const before = grants[at - 1];
    const gap = before ? grant.grantedMs - before.askedMs : apartMs;
    return gap < apartMs ? [gap] : [];
  });
}

describe('three workers of one tenant in processes of their own', () => {
  it('heed every pause that one of them was told, and stay together within all limits', { timeout: 120_000 }, async () => {
    const { messages, channels } = await reading();
    const path = '/users/{id}/messages/{id}/$value';
    const at = (nth: number): object => ({ match: { path, nth } });
    simulator.control.setFaults([
      ...[4, 13].map((nth) => ({ ...at(nth), do: 'throttle', seconds: 1, form: 'integer' })),
      ...[7, 19, 28].map((nth) => ({ ...at(nth), do: 'throttle', seconds: 0.7, form: 'decimal' })),
      { ...at(22), do: 'throttle', seconds: 1, status: 503 },
    ]);
    const reports = await Promise.all([1, 2, 3].map(() => startWorker({ ...ground, messages, channels })));
    expect(reports.map(({ read, posts }) => [read, posts])).toEqual([1, 2, 3].map(() => [messages.length, channels.length]));
    const pauses = reports.flatMap((report) => report.pauses);
    expect(pauses.length).toBeGreaterThanOrEqual(6);
    expect(early(reports)).toBe(0);
    // The limits of the mailboxes were never reached: all that was refused was scripted.
    const refused = [429, 503].flatMap((status) => simulator.simulation.log.list({ status }));
    expect(refused.filter((request) => request.template === path)).toHaveLength(6);
    expect(tooClose(reports, `conversation/${channels[0]?.channelId ?? ''}`, 1_000)).toEqual([]);
    const peaks = simulator.control.violations()['peaks'] as Record<string, number>;
    expect(Object.values(peaks).length).toBeGreaterThanOrEqual(2);
    expect(Math.max(...Object.values(peaks))).toBeLessThanOrEqual(4);
  });
});

describe('the units of a day', () => {
  /** Budgets that note what each request is charged. */
  function noting(budgets: BudgetPort, charges: BudgetCharge[]): BudgetPort {
    return {
      ...budgets,
      take(claim) {
        charges.push(...claim.charges);
        return budgets.take(claim);
      },
    };
  }

  it('are still spent after a restart, and a restore has what was held for it while a backup waits', async () => {
    const driveId = simulator.control.owners(ground.tenantId, 'drives')[0]?.owner ?? '';
    const charges: BudgetCharge[] = [];
    const before = openAnew(ground);
    const first = createGraphBudgets({ database: before, ids });
    const client = clientOver(ground, noting(first, charges));
    const root = await client.drives.root({ driveId });
    const charge = charges.find((one) => one.windows.some(({ heldForRestores = 0 }) => heldForRestores > 0));
    const day = charge?.windows.find(({ heldForRestores = 0 }) => heldForRestores > 0);
    if (!charge || !day) throw new Error('A request to a drive has no budget of a day.');
    const left = day.limit - (day.heldForRestores ?? 0) - day.cost;
    const spent = await first.take({ priority: 'backup', charges: [{ bucket: charge.bucket, windows: [{ ...day, cost: left }] }] });
    expect(spent.granted).toBe(true);
    await client.close();
    await before.close();

    const after = openAnew(ground);
    const again = clientOver(ground, createGraphBudgets({ database: after, ids }));
    const item = { driveId, itemId: root.id };
    const stop = new AbortController();
    let backup: 'waits' | 'done' | 'stopped' = 'waits';
    const waiting = again
      .with({ signal: stop.signal })
      .drives.item(item)
      .then(
        () => (backup = 'done'),
        () => (backup = 'stopped'),
      );
    const restore = again.with({ priority: 'restore' });
    for (let turn = 0; turn < 5; turn += 1) expect((await restore.drives.item(item)).id).toBe(root.id);
    expect(backup).toBe('waits');
    stop.abort();
    await waiting;
    expect(backup).toBe('stopped');
    await again.close();
    await after.close();
  });
});
