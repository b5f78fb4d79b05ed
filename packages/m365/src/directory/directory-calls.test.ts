import { describe, expect, it } from 'vitest';
import { aClient } from '../../testing/a-client.ts';
import { isGraphError } from '../errors/errors.ts';

async function all<T>(values: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const value of values) list.push(value);
  return list;
}

describe('the directory', () => {
  it('is asked for what is needed, 999 at a time', async () => {
    const { client, run, transport } = aClient(() => ({ json: { value: [] } }));
    await run(all(client.directory.users()));
    await run(all(client.directory.groups({ teamsOnly: true })));
    const [users, groups] = transport.requests;
    expect(users?.query.get('$top')).toBe('999');
    expect(users?.query.get('$select')?.split(',')).toContain('assignedLicenses');
    expect(groups?.query.get('$filter')).toBe("resourceProvisioningOptions/Any(x:x eq 'Team')");
  });

  it('tells who can still be restored from who is gone', async () => {
    const value = [
      { id: 'a', '@removed': { reason: 'changed' } },
      { id: 'b', '@removed': { reason: 'deleted' } },
    ];
    const { client, run } = aClient(() => ({
      json: { value, '@odata.deltaLink': 'https://graph.microsoft.com/v1.0/users/delta?$deltatoken=t' },
    }));
    const [step] = await run(all(client.directory.userDelta()));
    expect(step?.kind === 'page' ? step.entries : []).toEqual([
      { kind: 'removed', id: 'a', reason: 'changed' },
      { kind: 'removed', id: 'b', reason: 'deleted' },
    ]);
  });

  it('without an organisation is no directory', async () => {
    const { client, run } = aClient(() => ({ json: { value: [] } }));
    const failure = await run(client.directory.organization()).catch((reason: unknown) => reason);
    expect(isGraphError(failure, 'graph.unexpected-response')).toBe(true);
  });
});

describe('a usage report', () => {
  it('is read from the address it redirects to, without a token', async () => {
    const { client, run, transport } = aClient((request) =>
      request.url.host === 'reports.office.com'
        ? { body: 'A,B\r\n1,2\r\n' }
        : { status: 302, headers: { location: 'https://reports.office.com/data?token=x' } },
    );
    expect(await run(client.reports.usage('mailbox', 'D30'))).toEqual([{ A: '1', B: '2' }]);
    expect(transport.requests[0]?.line).toBe("GET /v1.0/reports/getMailboxUsageDetail(period='D30')");
    expect(transport.requests[1]?.headers['authorization']).toBeUndefined();
  });

  it('may come at once', async () => {
    const { client, run } = aClient(() => ({ body: 'A\r\n1\r\n' }));
    expect(await run(client.reports.usage('teams', 'D7'))).toEqual([{ A: '1' }]);
  });

  it('is never fetched from elsewhere', async () => {
    const { client, run } = aClient(() => ({ status: 302, headers: { location: 'https://evil.example/data' } }));
    const failure = await run(client.reports.usage('teams', 'D7')).catch((reason: unknown) => reason);
    expect(isGraphError(failure, 'graph.foreign-host')).toBe(true);
  });
});
