import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { anOrganisationId, testDatabase } from '@holdfast/database/testing/test-database';
import { silentLogger as logger } from '@holdfast/foundation/logger';
import { createSeededRandom } from '@holdfast/foundation/random';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { withFeatures } from '../product/start-product.ts';
import { readConfig } from '../settings/config.ts';

/** The whole command as a process of its own, killed wherever it happens to be. */
const testing = testDatabase(import.meta.url);
const main = fileURLToPath(new URL('../main.ts', import.meta.url));
const KILLS = 8;
let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'holdfast-rotate-keys-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const settings = (): Record<string, string> => ({
  HOLDFAST_DATA_DIR: folder,
  HOLDFAST_DATABASE_URL: testing.ownerUrl,
  HOLDFAST_DATABASE_APPLICATION_URL: testing.applicationUrl,
  HOLDFAST_DATABASE_POOL: '4',
});

/** Runs the command, ended by force after a while unless that is not wanted. */
async function rotate(killAfterMs?: number): Promise<{ code: number | null; text: string }> {
  const child = spawn(process.execPath, [main, 'admin', 'rotate-keys'], { env: settings(), stdio: ['ignore', 'pipe', 'pipe'] });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (part: string) => (text += part));
  const timer = killAfterMs === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), killAfterMs);
  const [code] = (await once(child, 'close')) as [number | null];
  clearTimeout(timer);
  return { code, text };
}

test('the command is killed wherever it is, and what was sealed opens after each time and after it has completed', async () => {
  const scope = { organisationId: anOrganisationId(), realm: 'production' } as const;
  const place = { table: 'tenants', column: 'sealed_secret', row: 'one' };
  const inside = <T>(work: Parameters<typeof withFeatures<T>>[1]): Promise<T> =>
    withFeatures({ config: readConfig(settings()), logger }, work);
  const sealed = await inside(async ({ ground: { database, sealing } }) => {
    await database.within(scope, (tx) =>
      tx.insertInto('organisations').values({ name: 'Contoso', abbr: 'contoso', created_at: new Date() }).execute(),
    );
    return sealing.seal(scope, 'a client secret', place);
  });
  const opened = (): Promise<string> => inside(({ ground: { sealing } }) => sealing.open(scope, sealed, place));
  const keyFile = path.join(folder, 'master.key');
  const first = await readFile(keyFile, 'utf8');
  const isForItsOwnerAlone = async (): Promise<boolean> => ((await stat(keyFile)).mode & 0o777) === 0o400;
  expect(await isForItsOwnerAlone()).toBe(true);

  const random = createSeededRandom(8);
  const start = performance.now();
  const whole = await rotate();
  const wholeMs = Math.round(performance.now() - start);
  expect([whole.code, whole.text]).toEqual([0, expect.stringContaining('wrapped by the new master key')]);
  let killed = 0;
  for (let round = 0; round < KILLS; round += 1) {
    const { code } = await rotate(50 + random.below(wholeMs));
    if (code === null) killed += 1;
    expect(await opened()).toBe('a client secret');
  }
  expect(killed).toBeGreaterThan(0);
  expect((await rotate()).code).toBe(0);
  expect(await opened()).toBe('a client secret');
  expect(await readFile(keyFile, 'utf8')).not.toBe(first);
  expect(await isForItsOwnerAlone()).toBe(true);
  process.stdout.write(`rotate-keys: killed ${killed} times of ${KILLS}, everything opens\n`);
}, 240_000);
