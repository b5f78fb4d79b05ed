import { spawn } from 'node:child_process';
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
const LONGEST_LIFE_MS = 1_200;
/** The modules of a worker are compiled once for all its lives. */
const COMPILE_CACHE = join(tmpdir(), 'holdfast-compile-cache');

/** Starts a worker and ends it with a signal that it can't see, after `lifeMs` unless it is done before. */
async function startAndKill(argument: object, lifeMs: number): Promise<void> {
  const child = spawn(process.execPath, [CHILD, JSON.stringify(argument)], {
    stdio: 'ignore',
    env: { ...process.env, NODE_COMPILE_CACHE: COMPILE_CACHE },
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const cancel = systemClock.after(lifeMs, () => child.kill('SIGKILL'));
  await ended;
  cancel();
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
    for (let kill = 0; kill < count; kill += 1) {
      if (kill % 4 === 3) source.act('mail.deliver', { user: userId, subject: `Between kills ${kill}` });
      await startAndKill(
        { simulator: { graph, login, caPem, tenants }, folder, resource, seed: seed + kill },
        random.below(LONGEST_LIFE_MS),
      );
    }
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
