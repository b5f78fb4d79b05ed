import { describe, expect, it } from 'vitest';
import { aClient } from '../testing/a-client.ts';
import { anything } from '../testing/anything.ts';
import { makeEveryCall } from '../testing/every-call.ts';
import { routeOf } from '../testing/route-of.ts';
import { routes } from './client/routes/routes.ts';

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
