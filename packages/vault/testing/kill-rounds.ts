import { spawn } from 'node:child_process';
import os from 'node:os';
import path from 'node:path';
import { expect } from 'vitest';
import { systemClock } from '@holdfast/foundation/clock';
import { createSeededRandom } from '@holdfast/foundation/random';
import { createFilesystemBlobStore } from '../src/blob/filesystem.ts';
import { aFolder, collectAll } from './builders.ts';
import { compareWithModel, openScenario, RESOURCE } from './crash-scenario.ts';

/** The writer's modules are compiled once for all its lives. */
const COMPILE_CACHE = path.join(os.tmpdir(), 'holdfast-compile-cache');

/** When to kill: so many commits after the opening, and so long after that. Counted in commits, so that a busy machine proves as much. */
interface KillMoment {
  readonly commits: number;
  readonly afterMs: number;
}

/** Lets the writer run until that moment, then kills it. Gives the last round it was told is committed. */
async function writeAndKill(root: string, moment: KillMoment, threads: number): Promise<number> {
  const script = path.join(import.meta.dirname, 'crash-writer.ts');
  const child = spawn(process.execPath, [script, root, String(threads)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_COMPILE_CACHE: COMPILE_CACHE },
  });
  let output = '';
  let last = 0;
  let isDying = false;
  await new Promise<void>((resolve) => {
    child.stdout.on('data', (data: Buffer) => {
      output += data.toString();
      if (isDying || output.split('\n').length - 2 < moment.commits) return;
      isDying = true;
      void systemClock.sleep(moment.afterMs).then(() => child.kill('SIGKILL'));
    });
    child.on('close', () => resolve());
  });
  for (const line of output.split('\n').slice(0, -1)) if (line !== 'open') last = Number(line);
  return last;
}

/** Kills a writing process `kills` times at random moments and checks the vault after each. */
export async function killRandomly(kills: number, seed: number): Promise<void> {
  const { folder, remove } = aFolder();
  const random = createSeededRandom(seed);
  let acknowledged = 0;
  for (let kill = 0; kill < kills; kill += 1) {
    const told = await writeAndKill(folder, { commits: random.below(3), afterMs: random.below(25) }, kill % 10 === 0 ? 2 : 0);
    acknowledged = Math.max(acknowledged, told);
    const store = createFilesystemBlobStore({ root: folder });
    const vault = await openScenario(store, { clock: systemClock });
    const head = await vault.journal(RESOURCE).head();
    expect((head?.cursor as number | undefined) ?? 0, `kill ${kill}, seed ${seed}`).toBeGreaterThanOrEqual(acknowledged);
    expect(await compareWithModel(vault), `kill ${kill}, seed ${seed}`).toEqual([]);
    if (kill % 25 === 24) {
      expect((await vault.maintenance.verify({ depth: 'data' })).damages).toEqual([]);
      const points = await collectAll(vault.journal(RESOURCE).segments());
      expect(points).toHaveLength(head?.sequence ?? 0);
    }
    await vault.close();
  }
  expect(acknowledged).toBeGreaterThan(0);
  remove();
}
