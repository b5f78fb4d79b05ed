import { describe, expect, it } from 'vitest';
import { diagnoseRoles, workloadOf } from './diagnose.ts';
import productRoutes from '../../data/product-routes.json' with { type: 'json' };
import { closeRoles, roleSets, rolesThatOpen } from '../sign-in/permissions.ts';
import { routes } from '../client/routes/routes.ts';

const WHO = { tenantId: 't', clientId: 'c' };

function missing(granted: readonly string[]): string[] {
  return diagnoseRoles(WHO, granted)
    .roles.filter((role) => role.state === 'missing')
    .map((role) => role.role);
}

describe('a diagnosis', () => {
  it('of everything granted finds nothing missing and nothing to spare', () => {
    const all = [...roleSets.read, ...roleSets.restore, ...roleSets.drillChannels, ...roleSets.teamApps];
    const diagnosis = diagnoseRoles(WHO, all);
    expect(diagnosis.roles.filter(({ state, optional }) => state === 'missing' && !optional)).toEqual([]);
    expect(diagnosis.unneeded).toEqual([]);
    expect(diagnosis.canRestore).toEqual(diagnosis.canBackUp);
  });

  it('names each role that is taken away, and nothing else', () => {
    const all = [...roleSets.read, ...roleSets.fullFidelityMail];
    for (const role of roleSets.read) {
      const rest = all.filter((candidate) => candidate !== role);
      if (closeRoles(rest).has(role)) continue;
      const before = new Set(missing(all));
      expect(missing(rest).filter((name) => !before.has(name))).toEqual([role]);
    }
  });

  it('lets a backup-only tenant back up everything, and restore nothing that it may not', () => {
    const diagnosis = diagnoseRoles(WHO, roleSets.read);
    expect(diagnosis.canBackUp).toEqual(['directory', 'reports', 'exchange', 'drives', 'sites', 'teams', 'chats']);
    // Neither adds anything to restore.
    expect(diagnosis.canRestore).toEqual(['directory', 'reports']);
  });

  it('takes a write role for its read role and says so', () => {
    const mail = diagnoseRoles(WHO, ['Mail.ReadWrite']).roles.find((role) => role.role === 'Mail.Read');
    expect(mail).toMatchObject({ state: 'granted', grantedBy: 'Mail.ReadWrite', workload: 'exchange', purpose: 'backup' });
  });

  it('lists what is granted and not used, and asks for none of it', () => {
    // A write role that contains a read role is of use.
    const spare = ['Device.ReadWrite.All', 'Reports.Read.All', 'ReportSettings.Read.All', 'ProfilePhoto.ReadWrite.All'];
    expect(diagnoseRoles(WHO, ['Mail.Read', ...roleSets.notUsed, 'Device.ReadWrite.All']).unneeded.toSorted()).toEqual(spare.toSorted());
    expect(missing([]).filter((role) => roleSets.notUsed.includes(role))).toEqual([]);
  });

  it('has a workload for each role', () => {
    expect(workloadOf('Teamwork.Migrate.All')).toBe('teams');
    expect(workloadOf('MailboxItem.Export.All')).toBe('exchangeFullFidelity');
    expect(workloadOf('User.Read.All')).toBe('directory');
  });
});

/** A route as the table of permissions writes it. */
function listed(route: string): readonly [method: string, path: string] {
  const [method = '', template = ''] = route.split(' ');
  return [method, template.replace('/root:/{path}', '/items/{id}:/{path}').replace('/microsoft.graph.sitePage', '')];
}

describe('the roles we ask for', () => {
  const asked = [...roleSets.read, ...roleSets.restore, ...roleSets.drillChannels, ...roleSets.teamApps];

  it.each(asked)('%s is the least of them that opens something that the product sends', (role) => {
    const opened = productRoutes.filter((route) => rolesThatOpen(...listed(route)).find((other) => asked.includes(other)) === role);
    expect(opened).not.toEqual([]);
  });

  it('open every request this client can send', () => {
    const granted = closeRoles(Object.values(roleSets).flat());
    const closed = Object.keys(routes).filter((route) => {
      const [method = '', template = ''] = route.split(' ');
      if (!template.startsWith('/') || template === '/$batch') return false;
      const path = template.replace('/root:/{path}', '/items/{id}:/{path}').replace('/microsoft.graph.sitePage', '');
      return !rolesThatOpen(method, path).some((role) => granted.has(role));
    });
    expect(closed).toEqual([]);
  });
});
