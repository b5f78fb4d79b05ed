import { describe, expect, it } from 'vitest';
import type { RouteEntry } from './route.ts';
import { createRouter } from './router.ts';

function route(method: RouteEntry['method'], path: string): RouteEntry {
  return { method, path, service: 'core', handler: () => ({ status: 204 }) };
}

const router = createRouter([
  route('GET', '/users/{id}'),
  route('GET', '/users/delta'),
  route('GET', '/users/{id}/mailFolders/{id}/messages/delta'),
  route('GET', '/users/{id}/mailFolders/{id}'),
  route('GET', '/users/{id}/mailFolders/inbox/messageRules'),
  route('GET', '/drives/{id}/items/{id}:/{path}'),
  route('PUT', '/drives/{id}/items/{id}:/{name}:/content'),
  route('GET', '/drives/{id}/root:/{path}'),
  route('GET', '/reports/getMailboxUsageDetail(period={value})'),
  route('GET', '/sites/{id}/pages/{id}'),
]);

describe('the router', () => {
  it.each([
    ['GET', '/users/delta', '/users/delta', []],
    ['GET', '/users/a%40b.c', '/users/{id}', ['a@b.c']],
    ['GET', "/users('a@b.c')/mailFolders('inbox')", '/users/{id}/mailFolders/{id}', ['a@b.c', 'inbox']],
    ['GET', '/Users/x/MAILFOLDERS/y', '/users/{id}/mailFolders/{id}', ['x', 'y']],
    ['GET', '/users/x/mailFolders/inbox', '/users/{id}/mailFolders/{id}', ['x', 'inbox']],
    ['GET', '/users/x/mailFolders/y/messages/delta()', '/users/{id}/mailFolders/{id}/messages/delta', ['x', 'y']],
    ['GET', '/users/x/mailFolders/y/messages/microsoft.graph.delta()', '/users/{id}/mailFolders/{id}/messages/delta', ['x', 'y']],
    ['GET', '/drives/d/root:/a%20b/c.txt', '/drives/{id}/root:/{path}', ['d', 'a b/c.txt']],
    ['GET', '/drives/d/items/i:/a/b:', '/drives/{id}/items/{id}:/{path}', ['d', 'i', 'a/b']],
    ['PUT', '/drives/d/items/i:/a.txt:/content', '/drives/{id}/items/{id}:/{name}:/content', ['d', 'i', 'a.txt']],
    ['GET', "/reports/getMailboxUsageDetail(period='D7')", '/reports/getMailboxUsageDetail(period={value})', ['D7']],
    ['GET', '/sites/s/pages/p/microsoft.graph.sitePage', '/sites/{id}/pages/{id}', ['s', 'p']],
  ] as const)('%s %s is %s with %j', (method, path, template, params) => {
    expect(router.find('graph', method, path)).toMatchObject({ route: { path: template }, params });
  });

  it('tells a path that there is not from a method that it does not take', () => {
    expect(router.find('graph', 'GET', '/nothing')).toBeUndefined();
    expect(router.find('graph', 'POST', '/users/x')).toEqual({ methods: ['GET'] });
  });

  it('hands a cast over and finds the path without it', () => {
    expect(router.find('graph', 'GET', '/sites/s/pages/p/graph.sitePage')).toMatchObject({ cast: 'microsoft.graph.sitePage' });
  });

  it('refuses two routes for one request', () => {
    expect(() => createRouter([route('GET', '/users/{id}'), route('GET', '/users/{value}')])).toThrow(/Two routes/u);
  });
});
