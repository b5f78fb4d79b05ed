import { expect, it, onTestFinished } from 'vitest';
import { createRig } from '../testing/rig.ts';

it('11: a mailbox is never asked more than four things at a time, whatever is read and written', async () => {
  // By the real clock: places are held for a time, and nobody may have waited for what is still under way.
  const rig = await createRig({ recipes: ['tiny'], seed: 3 });
  onTestFinished(() => rig.close());
  let userId = '';
  for await (const user of rig.graph.directory.users()) {
    const kinds = await Promise.all(['mail', 'calendar'].map((kind) => rig.truth(kind, user.id)));
    if (userId === '' && kinds.every((records) => records.length > 0)) userId = user.id;
  }
  expect(userId).not.toBe('');
  // Long enough that what is asked at the same time is seen at the same time.
  rig.simulator.control.setFaults([{ match: { path: '/users/{id}/messages/{id}/$value' }, do: 'delay', ms: 20 }]);
  const mailbox = rig.resource('mailbox', userId);
  expect((await rig.backup(mailbox)).status).toBe('successful');
  const target = { resource: mailbox, folder: 'Brought back' };
  expect((await rig.restore({ source: mailbox, selection: 'all', target, collisions: 'skip' })).result.status).toBe('successful');
  const { peaks, early } = rig.simulator.control.violations() as { peaks: Record<string, number>; early: readonly unknown[] };
  const [, peak = 0] = Object.entries(peaks).find(([key]) => key.includes(userId)) ?? [];
  expect(early).toEqual([]);
  expect(peak).toBeGreaterThan(2);
  expect(Math.max(...Object.values(peaks))).toBeLessThanOrEqual(4);
});
