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

it('31: a mailbox outside the scope of RBAC for Applications is excluded, and one inside is backed up', async () => {
  const rig = await createRig({ recipes: ['tiny'], clockOfEngine: createHurriedClock() });
  const { control, tenants } = rig.simulator;
  const tenantId = tenants[0]?.tenantId ?? '';
  const [outside = '', inside = ''] = control.owners(tenantId, 'mail').map(({ owner }) => owner);
  const { roles } = await rig.graph.diagnose();
  const exchange = roles
    .map(({ role }) => role)
    .filter((role) => /^(?:Mail|Mail-Advanced|MailboxSettings|Calendars|Contacts)\./u.test(role));
  control.withdraw(tenantId, exchange);
  control.revokeTokens(tenantId);
  const reads = ['Mail.Read', 'MailboxSettings.Read', 'Calendars.Read', 'Contacts.Read'];
  control.changeApp(tenantId, { exchange: { roles: reads, mailboxes: [inside] } });
  expect((await rig.graph.diagnose()).canBackUp).toContain('exchange');
  expect((await rig.backup(rig.resource('mailbox', outside))).status).toBe('excluded');
  expect(rig.problems.all.map(({ code }) => code)).toEqual(['graph.mailbox-closed']);
  expect((await rig.backup(rig.resource('mailbox', inside))).status).toBe('successful');
  await rig.close();
});
