import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { systemClock } from '@holdfast/foundation/clock';
import { createSeededRandom } from '@holdfast/foundation/random';
import { createFilesystemBlobStore } from '@holdfast/vault';
import { expect } from 'vitest';
import { mailOfTruth, mailOfVault } from './compare-mail.ts';
import { createRig, type Rig } from './rig.ts';
import type { Resource } from '../src/ports/item.ts';

const CHILD = fileURLToPath(new URL('./kill-child.ts', import.meta.url));
/** About as long as a worker takes for what came in since the last one was killed. */
const LONGEST_WORK_MS = 300;
/** Messages between two kills: with a checkpoint after every second one there are many moments to be killed at. */
const MESSAGES_EACH = 12;
/** The modules of a worker are compiled once for all its lives. */
const COMPILE_CACHE = join(tmpdir(), 'holdfast-compile-cache');

interface Life {
  /** Killed before it had said that it was done. */
  readonly isKilledAtWork: boolean;
}

/** Starts a worker and ends it with a signal that it can't see, so long after it has begun to work. */
async function startAndKill(argument: object, afterMs: number): Promise<Life> {
  const child = spawn(process.execPath, [CHILD, JSON.stringify(argument)], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, NODE_COMPILE_CACHE: COMPILE_CACHE },
  });
  let said = '';
  let cancel = (): void => undefined;
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    if (said === '') cancel = systemClock.after(afterMs, () => child.kill('SIGKILL'));
    said += part;
  });
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  cancel();
  // One that failed by itself would have been no kill.
  expect({ said: said.split('\n')[0], code, signal }).toEqual(
    signal === null ? { said: 'working', code: 0, signal } : { said: 'working', code: null, signal: 'SIGKILL' },
  );
  return { isKilledAtWork: !said.includes('done') };
}

async function makeSource(): Promise<{ readonly rig: Rig; readonly userId: string }> {
  const rig = await createRig({ recipes: ['tiny'] });
  for await (const user of rig.graph.directory.users())
    if (user.userType === 'Member' && user.accountEnabled) return { rig, userId: user.id };
  throw new Error('The tenant has no member.');
}

/** Kills workers at random moments while they back one mailbox up, then lets one finish: nothing is lost, doubled or stuck. */
export async function proveKills(count: number, seed: number): Promise<void> {
  const random = createSeededRandom(seed);
  const { rig: source, userId } = await makeSource();
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-kill-'));
  try {
    const { graph, login, caPem, tenants } = source.simulator;
    const resource: Resource = { id: source.ids.uuid(), kind: 'mailbox', graphId: userId, name: 'mailbox' };
    let atWork = 0;
    for (let kill = 0; kill < count; kill += 1) {
      for (let at = 0; at < MESSAGES_EACH; at += 1) source.act('mail.deliver', { user: userId, subject: `Kill ${kill}, message ${at}` });
      const argument = { simulator: { graph, login, caPem, tenants }, folder, resource, seed: seed + kill };
      const life = await startAndKill(argument, random.below(LONGEST_WORK_MS));
      if (life.isKilledAtWork) atWork += 1;
    }
    expect(atWork).toBeGreaterThan(0);
    const last = await createRig({
      shared: source.simulator,
      store: createFilesystemBlobStore({ root: folder, sync: false }),
      seed: seed + count,
    });
    const result = await last.backup(resource, { selection: { mailbox: { calendars: false, contacts: false, tasks: false } } });
    expect(result.status).toBe('successful');
    expect(await mailOfVault(last, resource)).toEqual(await mailOfTruth(source, userId));
    const report = await last.vault.maintenance.verify({ depth: 'data' });
    expect(report.damages).toEqual([]);
    await last.close();
  } finally {
    await source.close();
    await rm(folder, { recursive: true, force: true });
  }
}
