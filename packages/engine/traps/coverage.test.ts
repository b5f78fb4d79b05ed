import { expect, it } from 'vitest';
import { createHurriedClock } from '../testing/hurried-clock.ts';
import { createRig } from '../testing/rig.ts';

it('31: accounts without mailbox or OneDrive and closed mailboxes are excluded by reason, and no run fails for them', async () => {
  const rig = await createRig({ recipes: ['contoso'], clockOfEngine: createHurriedClock() });
  const statuses = new Set<string>();
  for await (const user of rig.graph.directory.users()) {
    for (const kind of ['mailbox', 'drive'] as const) {
      const result = await rig.backup(rig.resource(kind, user.id, user.userPrincipalName ?? ''), {
        selection: { include: ['Nothing'], mailbox: { calendars: false, contacts: false, tasks: false } },
      });
      statuses.add(result.status);
    }
  }
  expect([...statuses].toSorted()).toEqual(['excluded', 'successful']);
  const reasons = new Map(rig.problems.all.map((problem) => [problem.code, problem.advice]));
  expect(Object.fromEntries(reasons)).toMatchObject({
    'graph.mailbox-missing': 'assignLicence',
    'graph.mailbox-closed': 'askAccessPolicy',
    'graph.drive-missing': 'waitForProvisioning',
  });
  await rig.close();
}, 60_000);
