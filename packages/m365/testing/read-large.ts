/** Reads a large folder and a large drive by delta, keeping nothing, and says what it took: a process of its own, so that it is this alone that is measured. */
import { readFileSync } from 'node:fs';
import { systemClock } from '@holdfast/foundation/clock';
import { createIds } from '@holdfast/foundation/ids';
import { silentLogger } from '@holdfast/foundation/logger';
import { secureRandom } from '@holdfast/foundation/random';
import { Secret } from '@holdfast/foundation/secrets';
import { createGraphClient, createMemoryBudgets, type Delta } from '../src/index.ts';

/** Where the simulator is, and what to read. */
export interface LargeTask {
  readonly graph: string;
  readonly login: string;
  readonly ca: string;
  readonly tenantId: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly userId: string;
}

/** What was read. */
export interface LargeReport {
  readonly messages: number;
  readonly items: number;
  readonly peakMegabytes: number;
}

async function countOf(delta: Delta<unknown>): Promise<number> {
  let count = 0;
  for await (const step of delta) if (step.kind === 'page') count += step.entries.length;
  return count;
}

const task = JSON.parse(process.argv[2] ?? '{}') as LargeTask;
const clock = systemClock;
const ids = createIds(clock, secureRandom);
const client = createGraphClient({
  tenantId: task.tenantId,
  credential: { kind: 'secret', clientId: task.clientId, clientSecret: new Secret(task.clientSecret) },
  endpoints: { loginUrl: task.login, graphUrl: task.graph, ca: readFileSync(task.ca, 'utf8') },
  budgets: createMemoryBudgets({ clock, ids }),
  clock,
  random: secureRandom,
  ids,
  logger: silentLogger,
  userAgentVersion: '0.1.0',
});
const messages = await countOf(client.exchange.mail.messageDelta({ userId: task.userId, folderId: 'inbox' }));
const { id: driveId } = await client.drives.userDrive({ userId: task.userId });
const items = await countOf(client.drives.delta({ driveId }));
await client.close();
const report: LargeReport = { messages, items, peakMegabytes: Math.round(process.resourceUsage().maxRSS / 1024) };
process.stdout.write(`${JSON.stringify(report)}\n`);
