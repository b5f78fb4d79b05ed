import { systemClock } from '@holdfast/foundation/clock';
import { createIds } from '@holdfast/foundation/ids';
import { silentLogger } from '@holdfast/foundation/logger';
import { secureRandom } from '@holdfast/foundation/random';
import { createMemoryBlobStore } from '@holdfast/vault';
import { expect, onTestFinished, test } from 'vitest';
import { createMemoryCatalog } from '../../testing/memory-catalog.ts';
import { createMemoryLease } from '../../testing/memory-ports.ts';
import { openTestVault } from '../../testing/rig.ts';
import { openReceiving, type Receiving } from './open-receiving.ts';

const resource = { id: '0190bbbb-0000-7000-8000-000000000002', kind: 'journal', graphId: 'receiver', name: 'Journal' } as const;

/** A journal of its own, and how many mails each commit had. */
async function aJournal(): Promise<{ readonly receiving: Receiving; readonly groups: number[] }> {
  const vault = await openTestVault(createMemoryBlobStore(), systemClock, createIds(systemClock, secureRandom), 0);
  onTestFinished(() => vault.close());
  const catalog = createMemoryCatalog();
  const groups: number[] = [];
  const counted = {
    ...catalog,
    apply: (segment: Parameters<typeof catalog.apply>[0]) => {
      groups.push(segment.put.length);
      return catalog.apply(segment);
    },
  };
  const options = { vault, catalog: counted, lease: createMemoryLease(), clock: systemClock, logger: silentLogger };
  return { receiving: await openReceiving(options, { resource, runId: 'test' }), groups };
}

const mail = (name: string) => ({
  raw: Buffer.from(`From: a@example.com\r\nSubject: ${name}\r\n\r\n${name}\r\n`),
  arrivedAt: new Date(Date.UTC(2026, 0, 1)),
  client: '192.0.2.1',
  mailFrom: 'a@example.com',
  verdicts: async () => undefined,
});

test('senders that wait for each other share a commit, and every mail is committed once', async () => {
  const { receiving, groups } = await aJournal();
  const [senders, turns] = [12, 20];
  await Promise.all(
    Array.from({ length: senders }, async (_sender, at) => {
      for (let turn = 0; turn < turns; turn += 1) {
        await receiving.take(mail(`${at} ${turn}`));
        // The way to the sender and back.
        await systemClock.sleep(1 + (at % 4));
      }
    }),
  );
  await receiving.close();
  expect(groups.reduce((sum, size) => sum + size, 0)).toBe(senders * turns);
  // Two halves that take turns would need twice as many commits as there are turns.
  expect(groups.length).toBeLessThan(turns * 1.5);
});

test('one sender waits for nobody, and the last of many does not wait for those who have gone', async () => {
  const { receiving, groups } = await aJournal();
  await Promise.all(['one', 'two', 'three'].map((name) => receiving.take(mail(name))));
  for (const name of ['four', 'five', 'six']) await receiving.take(mail(name));
  await receiving.close();
  expect(groups.slice(-3)).toEqual([1, 1, 1]);
});
