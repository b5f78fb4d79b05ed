import { describe, expect, it } from 'vitest';
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
