/**
 * One of several workers of a tenant, in a process of its own: reads the messages it is given and a channel, by budgets
 * in the database, and tells when each pause was known and each request was let through. Started by
 * `graph-budgets.workers.db.test.ts` with its ground as JSON.
 */
import { forEachConcurrent } from '@holdfast/foundation/concurrency';
import { collect } from '@holdfast/foundation/streams';
import type { BudgetPort } from '@holdfast/m365';
import { testIds } from '../../../testing/rows.ts';
import { createGraphBudgets } from '../graph-budgets.store.ts';
import { clientOver, openAnew, type WorkerGround } from './budget-ground.ts';

/** What a worker did, on the clock of the machine. */
export interface WorkerReport {
  readonly grants: readonly { readonly bucket: string; readonly askedMs: number; readonly grantedMs: number }[];
  readonly pauses: readonly { readonly bucket: string; readonly begunMs: number; readonly knownMs: number; readonly forMs: number }[];
  readonly read: number;
  readonly posts: number;
}

export interface WorkerTask extends WorkerGround {
  readonly messages: readonly { readonly userId: string; readonly messageId: string }[];
  readonly channels: readonly { readonly teamId: string; readonly channelId: string; readonly messageId: string }[];
}

function watched(budgets: BudgetPort, report: { grants: WorkerReport['grants'][number][]; pauses: WorkerReport['pauses'][number][] }) {
  return Object.freeze<BudgetPort>({
    ...budgets,
    async take(claim) {
      const askedMs = Date.now();
      const answer = await budgets.take(claim);
      const grantedMs = Date.now();
      if (answer.granted) for (const { bucket } of claim.charges) report.grants.push({ bucket, askedMs, grantedMs });
      return answer;
    },
    async pause(bucket, forMs) {
      const begunMs = Date.now();
      await budgets.pause(bucket, forMs);
      report.pauses.push({ bucket, begunMs, knownMs: Date.now(), forMs });
    },
  });
}

const task = JSON.parse(process.argv[2] ?? '') as WorkerTask;
const report = { grants: [], pauses: [] };
const database = openAnew(task);
const client = clientOver(task, watched(createGraphBudgets({ database, ids: testIds }), report));
let read = 0;
let posts = 0;
await Promise.all([
  forEachConcurrent(task.messages, 8, async (message) => {
    await collect(client.exchange.mail.mime(message).bytes, 100_000_000);
    read += 1;
  }),
  forEachConcurrent(task.channels, 4, async (post) => {
    await client.teams.message(post);
    posts += 1;
  }),
]);
await client.close();
await database.close();
const done: WorkerReport = { ...report, read, posts };
process.stdout.write(`${JSON.stringify(done)}\n`);
