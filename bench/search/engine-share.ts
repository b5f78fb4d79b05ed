import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { SearchCoverage } from '@holdfast/contract/query/search';
import { everyone, finish, makeGround } from '../archive/ground.ts';
import { downloadAll } from '../engine/backup.ts';
import { clientOf } from '../engine/ground.ts';
import { measure, round } from '../engine/measure.ts';

const MAILBOXES = 8;

/**
 * A first backup of the whole product that indexes meanwhile, beside a downloader of the same mailboxes with the same client that
 * throws the bytes away. All of it shares the processor with the simulated service.
 */
export async function measureEngineShare(messages: number) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'holdfast-bench-share-'));
  const ground = await makeGround(folder, { mailboxes: MAILBOXES, messages });
  const { api, at, locationId, people, simulator } = ground;
  const graph = clientOf({ ...simulator, caPem: readFileSync(simulator.ca, 'utf8') });
  try {
    const users = people.map(({ id }) => id);
    const bare = await measure('bare downloader', graph, () => downloadAll(graph, users));
    const { seconds } = await finish(ground, { type: 'backup', name: 'Backup', workload: 'exchange', source: everyone, locationId });
    const asked = { query: 'Offer', reason: 'Benchmark', limit: 1 };
    const { coverage } = await api.post<{ coverage: SearchCoverage }>(`${at}/archive/search`, asked);
    return {
      engineShare: round(bare.seconds / seconds),
      engineBareSeconds: round(bare.seconds, 1),
      engineBackupSeconds: round(seconds, 1),
      /** How much was found at once when the backup ended: the index was not waited for. */
      engineIndexed: round(coverage.searched / coverage.items),
    };
  } finally {
    await graph.close();
    await ground.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
