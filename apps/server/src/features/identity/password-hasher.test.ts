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
