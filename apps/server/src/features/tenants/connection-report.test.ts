import { workloads } from '@holdfast/contract/values';
import type { Diagnosis, RoleState } from '@holdfast/m365';
import { de } from '@holdfast/phrases/de';
import { en } from '@holdfast/phrases/en';
import { expect, test } from 'vitest';
import { permissionsFor, reportOf } from './connection-report.ts';

const role = (name: string, changes: Partial<RoleState> = {}): RoleState => ({
  role: name,
  workload: 'exchange',
  purpose: 'backup',
  optional: false,
  state: 'granted',
  ...changes,
});

function linesOf(diagnosis: Pick<Diagnosis, 'roles'> & Partial<Diagnosis>) {
  const whole = { tenantId: 'tenant', clientId: 'client', unneeded: [], delegated: [], canBackUp: [], canRestore: [], ...diagnosis };
  const { permissions } = reportOf(whole, new Date('2026-11-21T12:00:00Z'), null);
  return (name: string) => permissions.find(({ permission }) => permission === name);
}

test('kind and purpose of a permission are those of the token, not assumed', () => {
  const line = linesOf({
    roles: [
      role('Mail.Read'),
      role('Mail.ReadWrite', { purpose: 'restore' }),
      role('Sites.Read.All', { workload: 'sites', state: 'missing' }),
      role('User.Read.All', { workload: 'directory' }),
    ],
    unneeded: ['AccessReview.Read.All', 'Domain.Read.All'],
    delegated: ['Presence.Read', 'openid'],
  });
  expect(line('Mail.Read')).toMatchObject({ kind: 'application', purpose: 'backup', state: 'granted', group: 'mail' });
  expect(line('Mail.ReadWrite')).toMatchObject({ kind: 'application', purpose: 'restore', state: 'granted' });
  expect(line('Sites.Read.All')).toMatchObject({ purpose: 'backup', state: 'missing', group: 'sites' });
  expect(line('User.Read.All')).toMatchObject({ purpose: 'discovery', group: 'user' });
  expect(line('AccessReview.Read.All')).toMatchObject({ group: 'accessReview', kind: 'application', purpose: null, state: 'unneeded' });
  expect(line('Domain.Read.All')).toMatchObject({ group: 'domain', purpose: null, state: 'unneeded' });
  expect(line('Presence.Read')).toMatchObject({ group: 'presence', kind: 'delegated', purpose: null, state: 'unneeded' });
  expect(line('openid')).toMatchObject({ group: 'delegated', kind: 'delegated' });
});

test('a permission that the product can do without is listed where it was granted', () => {
  expect(linesOf({ roles: [role('MailboxItem.Export.All', { optional: true })] })('MailboxItem.Export.All')).toMatchObject({
    state: 'granted',
    purpose: 'backup',
  });
  expect(
    linesOf({ roles: [role('MailboxItem.Export.All', { optional: true, state: 'missing' })] })('MailboxItem.Export.All'),
  ).toBeUndefined();
});

test('each permission that an app is to be granted says in both languages what it is for, and no other one does', () => {
  const asked = [...permissionsFor(workloads, true), ...permissionsFor(workloads, false)].map(({ permission }) => permission);
  const names = [...new Set(asked)].toSorted();
  expect(Object.keys(en.permissionUses).toSorted()).toEqual(names);
  expect(Object.keys(de.permissionUses).toSorted()).toEqual(names);
});
