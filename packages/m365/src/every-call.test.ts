import { describe, expect, it } from 'vitest';
import { aClient } from '../testing/a-client.ts';
import { anything } from '../testing/anything.ts';
import { makeEveryCall } from '../testing/every-call.ts';
import type { ScriptedRequest } from '../testing/scripted-transport.ts';
import { routes, type RouteName } from './client/routes/routes.ts';

const CONTENT: Readonly<Record<string, string>> = {
  'contoso.sharepoint.com/download': 'spo:{downloadUrl}',
  'contoso.sharepoint.com/upload': 'spo:{uploadUrl}',
  'outlook.office.com/upload': 'outlook:{uploadUrl}',
  'outlook.office365.com/import': 'outlook:{importUrl}',
  'reports.office.com/r': 'reports:{reportUrl}',
};

function patternOf(route: RouteName): RegExp {
  const path = route.slice(route.indexOf(' ') + 1).replace(/^\/beta/, '');
  const source = path
    .replaceAll(/[.$()]/g, '\\$&')
    .replaceAll('{path}', '.+')
    .replaceAll(/\{\w+\}/g, '[^/]+?');
  return new RegExp(`^/(?:v1\\.0|beta)${source}$`);
}

const patterns = (Object.keys(routes) as RouteName[]).map((route) => ({ route, pattern: patternOf(route), wild: route.split('{').length }));

/** The route of a request: the pattern with the fewest placeholders that fits. */
function routeOf(request: ScriptedRequest): string {
  const content = CONTENT[request.url.host + request.url.pathname];
  if (content) return `${request.method} ${content}`;
  // A site may be named by host and path, which is one key.
  const path = decodeURIComponent(request.url.pathname).replace(/^(\/v1\.0\/sites\/[^/]+:)\/.*$/, '$1');
  const fitting = patterns.filter(({ route, pattern }) => route.startsWith(`${request.method} `) && pattern.test(path));
  return fitting.sort((a, b) => a.wild - b.wild)[0]?.route ?? `${request.method} ${path}`;
}

describe('the calls of the client', () => {
  it('send every request of the table, and no other', async () => {
    const { client, run, transport } = aClient(anything, { betaImportMime: true });
    await run(makeEveryCall(client));
    const sent = new Set(transport.requests.map(routeOf));
    expect([...sent].filter((route) => !(route in routes))).toEqual([]);
    expect(Object.keys(routes).filter((route) => !sent.has(route))).toEqual([]);
  });

  it('send a token to Graph only, and never without preferences', async () => {
    const { client, run, transport } = aClient(anything, { betaImportMime: true });
    await run(makeEveryCall(client));
    for (const request of transport.requests) {
      const isGraph = request.url.host === 'graph.microsoft.com';
      expect(request.headers['authorization'] !== undefined, request.url.href).toBe(isGraph);
      expect(request.headers['prefer']?.includes('include-unknown-enum-members') ?? false).toBe(isGraph);
    }
  });

  it('never ask for mail to be sent', async () => {
    const { client, run, transport } = aClient(anything);
    await run(client.drives.invite({ driveId: 'd', itemId: 'i' }, { recipients: [{ email: 'a@x' }], roles: ['read'] }));
    await run(client.drives.createLink({ driveId: 'd', itemId: 'i' }, { type: 'view', scope: 'users' }));
    const bodies = transport.requests.map((request) => JSON.parse(String(request.body)) as Record<string, unknown>);
    expect(bodies[0]?.['sendInvitation']).toBe(false);
    expect(bodies[1]?.['sendNotification']).toBe(false);
  });
});
