import { readdir, readFile } from 'node:fs/promises';
import { getPriority } from 'node:os';
import { expect, test } from 'vitest';
import { hardened } from './options.ts';
import { createPasswordHasher } from './password-hasher.ts';

test('a password is kept as argon2id over at least 19 MiB and two passes, each time under another salt', async () => {
  const hasher = createPasswordHasher(hardened.hashCost);
  const [first, second] = [await hasher.hash('Sturdy-Heron-Wanders-47'), await hasher.hash('Sturdy-Heron-Wanders-47')];
  for (const stored of [first, second]) expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(first).not.toBe(second);
  expect([await hasher.verify(first, 'Sturdy-Heron-Wanders-47'), await hasher.verify(first, 'Sturdy-Heron-Wanders-48')]).toEqual([
    true,
    false,
  ]);
});

test('a hash that was made with less is told from one of today', async () => {
  const [old, today] = [createPasswordHasher({ memoryKib: 8, passes: 1, lanes: 1 }), createPasswordHasher(hardened.hashCost)];
  const [weak, strong] = [await old.hash('Sturdy-Heron-Wanders-47'), await today.hash('Sturdy-Heron-Wanders-47')];
  expect([today.isOutdated(weak), today.isOutdated(strong)]).toEqual([true, false]);
});

test('behind the hashes under way a bounded number waits, and whoever comes then is told when to come again', async () => {
  const hasher = createPasswordHasher({ memoryKib: 8, passes: 1, lanes: 1 }, 1);
  const answers = await Promise.allSettled(Array.from({ length: 40 }, () => hasher.hash('x')));
  const refused = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason as { code: string; details: object }] : []));
  expect(refused).toHaveLength(8);
  expect(refused[0]).toMatchObject({ code: 'service.overloaded', details: { retryAfterSeconds: 2 } });
});

/** How many threads of this process are behind its first one: field 19 of what Linux says of each. */
async function threadsThatGiveWay(): Promise<number> {
  const threads = await readdir('/proc/self/task');
  const texts = await Promise.all(threads.map((thread) => readFile(`/proc/self/task/${thread}/stat`, 'utf8').catch(() => '')));
  return texts.filter((text) => Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[16]) > getPriority()).length;
}

test.skipIf(process.platform !== 'linux')(
  'hashes are computed by threads that give way to everything else, no more of them than cores, and gone when it is closed',
  async () => {
    const [before, priority] = [await threadsThatGiveWay(), getPriority()];
    const hasher = createPasswordHasher({ memoryKib: 8, passes: 1, lanes: 1 }, 2);
    await Promise.all(Array.from({ length: 10 }, () => hasher.hash('Sturdy-Heron-Wanders-47')));
    // A hash and what it is compared with are the work of those threads too, whoever asks.
    await hasher.verifyNothing('Sturdy-Heron-Wanders-47');
    const own = (await threadsThatGiveWay()) - before;
    expect([own > 0, own <= 2]).toEqual([true, true]);
    expect(getPriority()).toBe(priority);
    hasher.close();
    await expect.poll(threadsThatGiveWay).toBe(before);
  },
);

test('a secret that can not be hashed fails alone, and the next one is hashed', async () => {
  const hasher = createPasswordHasher({ memoryKib: 8, passes: 1, lanes: 1 }, 1);
  await expect(hasher.verify('no hash at all', 'Sturdy-Heron-Wanders-47')).rejects.toThrow('Decoding failed');
  expect(await hasher.verify(await hasher.hash('Sturdy-Heron-Wanders-47'), 'Sturdy-Heron-Wanders-47')).toBe(true);
  hasher.close();
});
