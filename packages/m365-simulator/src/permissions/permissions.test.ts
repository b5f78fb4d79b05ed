import { describe, expect, it } from 'vitest';
import { placesOf } from '../places/places.ts';
import { allChannels } from '../places/team-records.ts';
import { createInProcess } from '../testing/in-process.ts';
import { workloads } from '../workloads.ts';
import { compileTemplate } from './path-template.ts';
import { packagedPermissions } from './permissions.ts';

const permissions = packagedPermissions();

describe('path templates', () => {
  it.each([
    ['/users/{id}', '/users/a', ['a']],
    ['/users/{id}', "/users('a@b.c')", ['a@b.c']],
    ['/users/{id}', '/users/a/messages', undefined],
    ['/drives/{id}/items/{id}:/{path}', '/drives/d/items/i:/a/b c.txt', ['d', 'i', 'a/b c.txt']],
    ['/drives/{id}/items/{id}:/{path}', '/drives/d/items/i:/a/b:', ['d', 'i', 'a/b']],
    ['/drives/{id}/items/{id}:/{name}:/content', '/drives/d/items/i:/a.txt:/content', ['d', 'i', 'a.txt']],
    ['/users/{id}/mailFolders/{id}', '/Users/a/MAILFOLDERS/inbox', ['a', 'inbox']],
    ['/reports/getMailboxUsageDetail(period={value})', "/reports/getMailboxUsageDetail(period='D7')", ["'D7'"]],
  ])('%s against %s gives %j', (template, path, values) => {
    expect(compileTemplate(template).match(path)).toEqual(values);
  });
});

describe('permissions', () => {
  it('closes roles under what they imply, to the end of the chain', () => {
    const roles = permissions.closure(['Sites.FullControl.All']);
    expect([...roles].sort()).toEqual(['Sites.FullControl.All', 'Sites.Manage.All', 'Sites.Read.All', 'Sites.ReadWrite.All']);
  });

  it('prefers the literal path where two templates fit', () => {
    expect(permissions.rolesFor('GET', '/users/delta')).not.toContain('User.ReadBasic.All');
    expect(permissions.rolesFor('GET', '/users/1')).toContain('User.ReadBasic.All');
  });

  it('opens a route to each role that the file lists and to roles that imply one', () => {
    const route = { method: 'GET', path: '/users/{id}/messages/{id}/$value' };
    expect(permissions.missingRole(route, permissions.closure(['Mail.ReadWrite']))).toBeUndefined();
    expect(permissions.missingRole(route, permissions.closure(['Mail.ReadBasic.All']))).toBe('Mail.Read');
  });

  it('names the least privileged role that is missing', () => {
    const route = { method: 'POST', path: '/chats' };
    expect(permissions.missingRole(route, new Set())).toBe('Chat.Create');
  });

  it('checks another spelling of a path as the path it is like', () => {
    const route = { method: 'GET', path: '/drives/{id}/root:/{path}', like: '/drives/{id}/items/{id}:/{path}' };
    expect(permissions.missingRole(route, new Set(['Files.Read.All']))).toBeUndefined();
    expect(permissions.missingRole(route, new Set())).toBe('Files.Read.All');
  });

  it('finds routes that are neither in the file nor an exception', () => {
    const routes = [
      { method: 'GET', path: '/users/{value}' },
      { method: 'POST', path: '/$batch', open: 'inner requests are checked one by one' },
      { method: 'PUT', path: '/upload', host: 'sharepoint' },
      { method: 'GET', path: '/users/{id}/socks' },
      { method: 'DELETE', path: '/users/{id}' },
    ];
    expect(permissions.unknownRoutes(routes)).toEqual(['GET /users/{id}/socks', 'DELETE /users/{id}']);
  });

  it('lets the read set open every path of a backup', () => {
    const roles = permissions.closure(permissions.sets['read'] ?? []);
    expect(permissions.missingRole({ method: 'GET', path: '/drives/{id}/root/delta' }, roles)).toBeUndefined();
    expect(permissions.missingRole({ method: 'DELETE', path: '/drives/{id}/items/{id}' }, roles)).toBe('Files.ReadWrite.All');
  });
});

describe('a tenant that granted roles for backup alone', () => {
  const sim = createInProcess({ workloads, recipe: 'tiny', roles: permissions.sets['read'] ?? [] });
  const drive = placesOf(sim.tenant).libraries.at(-1)?.driveId ?? '';
  const inChannel = allChannels(sim.tenant).map(({ teamId, id }) => `/teams/${teamId}/channels/${id}`)[0] ?? '';
  const site = placesOf(sim.tenant).sites.find((place) => place.lists > 0)?.id ?? '';

  it.each([
    ['GET', `/drives/${drive}/root/delta`],
    ['GET', `/sites/${site}/lists`],
    ['GET', `${inChannel}/messages/delta`],
  ])('may %s %s', async (method, address) => {
    expect((await sim.ask(method, address)).status).toBe(200);
  });

  it.each([
    ['PUT', `/drives/${drive}/root:/a.txt:/content`, 'accessDenied', ''],
    ['POST', `/sites/${site}/lists`, 'accessDenied', ''],
    ['POST', `${inChannel}/messages`, 'Forbidden', 'Teamwork.Migrate.All'],
    ['POST', '/chats', 'Forbidden', 'Chat.Create'],
  ])('may not %s %s, and hears it in the words of the service', async (method, address, code, role) => {
    const { status, json } = await sim.ask(method, address, { body: {} });
    expect(status).toBe(403);
    expect(json['error']).toMatchObject({ code, message: expect.stringContaining(role) as string });
  });

  it('is asked for a role by every route', () => {
    expect(permissions.unknownRoutes(workloads.flatMap((workload) => workload.routes))).toEqual([]);
  });
});
