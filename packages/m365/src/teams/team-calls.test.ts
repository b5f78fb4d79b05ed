import { describe, expect, it } from 'vitest';
import { aClient } from '../../testing/a-client.ts';
import type { ScriptedRequest } from '../../testing/scripted-transport.ts';
import { isGraphError } from '../errors/errors.ts';

const TEAM = { teamId: 't1' };
const CHANNEL = { ...TEAM, channelId: 'c1' };
const BASE = 'https://graph.microsoft.com/v1.0/teams/t1/channels/c1/messages';

async function all<T>(values: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const value of values) list.push(value);
  return list;
}

describe('threads', () => {
  it('come whole, however many replies they have', async () => {
    const respond = (request: ScriptedRequest) => {
      if (request.query.get('$skiptoken') === '2') return { json: { value: [{ id: 'r3' }] } };
      if (request.line.endsWith('/replies'))
        return { json: { value: [{ id: 'r2' }], '@odata.nextLink': `${BASE}/m1/replies?$skiptoken=2` } };
      return {
        json: {
          value: [
            { id: 'm1', replies: [{ id: 'r1' }], 'replies@odata.nextLink': `${BASE}/m1/replies?$skiptoken=1` },
            { id: 'm2', replies: [] },
          ],
          '@odata.deltaLink': `${BASE}/delta?$deltatoken=t`,
        },
      };
    };
    const { client, run } = aClient(respond);
    const [first, second] = await run(all(client.teams.messages(CHANNEL)));
    expect(first?.replies?.map((reply) => reply.id)).toEqual(['r1', 'r2', 'r3']);
    expect(second?.replies).toEqual([]);
    const [step] = await run(all(client.teams.messageDelta(CHANNEL)));
    const [entry] = step?.kind === 'page' ? step.entries : [];
    expect(entry?.kind === 'present' && entry.item.replies?.length).toBe(3);
  });

  it('are listed once when delta refuses, as it does now and then', async () => {
    const { client, run, transport } = aClient((request) =>
      request.line.endsWith('/delta') ? { status: 400, json: { error: { code: 'BadRequest' } } } : { json: { value: [{ id: 'm1' }] } },
    );
    const steps = await run(all(client.teams.messageDelta(CHANNEL)));
    expect(steps[0]).toEqual({ kind: 'reset', reason: 'listed' });
    expect(transport.requests.filter((request) => request.line.endsWith('/delta'))).toHaveLength(3);
  });
});

describe('a team', () => {
  it('that takes time is waited for, also while nobody knows it yet', async () => {
    let polls = 0;
    const { client, run, transport } = aClient((request) => {
      if (request.method === 'POST') return { status: 202, headers: { location: "/teams('t9')/operations('o9')" } };
      polls += 1;
      if (polls === 1) return { status: 404, json: { error: { code: 'NotFound' } } };
      return { json: { id: 'o9', status: polls < 4 ? 'inProgress' : 'succeeded' } };
    });
    const operation = await run(client.teams.createTeam({ displayName: 'T' }));
    expect(operation).toEqual({ teamId: 't9', operationId: 'o9' });
    await run(client.teams.waitFor(operation));
    const times = transport.requests.slice(1).map((request) => request.atMs);
    expect((times[3] ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual(30_000);
  });

  it('that could not be made is an error with the service’s code', async () => {
    const { client, run } = aClient(() => ({ json: { id: 'o', status: 'failed', error: { code: 'TeamCreationFailed' } } }));
    const failure = await run(client.teams.waitFor({ teamId: 't', operationId: 'o' })).catch((reason: unknown) => reason);
    expect(isGraphError(failure, 'graph.service-fault') && failure.details['serviceCode']).toBe('TeamCreationFailed');
  });

  it('takes members in groups and tells about each', async () => {
    const { client, run, transport } = aClient((request) => {
      const { values } = JSON.parse(String(request.body)) as { values: { n: number }[] };
      return {
        status: 207,
        json: {
          value: values.map(({ n }) =>
            n === 201 ? { userId: String(n), error: { code: 'NotFound', message: 'no' } } : { userId: String(n) },
          ),
        },
      };
    });
    const results = await run(
      client.teams.addMembers(
        TEAM,
        Array.from({ length: 250 }, (_, n) => ({ n })),
      ),
    );
    expect(transport.requests).toHaveLength(2);
    expect(results).toHaveLength(250);
    expect(results[201]?.error?.code).toBe('NotFound');
  });

  it('that is none is no error', async () => {
    const { client, run } = aClient(() => ({ status: 404, json: { error: { code: 'NotFound' } } }));
    expect(await run(client.teams.team(TEAM))).toBeUndefined();
  });
});

describe('migration', () => {
  const inMode = (mode: string) =>
    aClient((request) =>
      request.method === 'POST' ? { status: 400, json: { error: { code: 'BadRequest' } } } : { json: { id: 'c1', migrationMode: mode } },
    );

  it('that runs already is no error, and one that cannot start is', async () => {
    const running = inMode('inProgress');
    await expect(running.run(running.client.teams.startMigration(CHANNEL))).resolves.toBeUndefined();
    const none = inMode('completed');
    const failure = await none.run(none.client.teams.startMigration(CHANNEL)).catch((reason: unknown) => reason);
    expect(isGraphError(failure, 'graph.bad-request')).toBe(true);
  });

  it('that has ended already is no error', async () => {
    const { client, run } = inMode('completed');
    await expect(run(client.teams.completeMigration(CHANNEL))).resolves.toBeUndefined();
  });

  it('meets a millisecond that is taken with a code of its own', async () => {
    const { client, run } = aClient(() => ({ status: 409, json: { error: { code: 'Conflict' } } }));
    const failure = await run(client.teams.importMessage(CHANNEL, {})).catch((reason: unknown) => reason);
    expect(isGraphError(failure, 'graph.name-taken')).toBe(true);
  });
});
