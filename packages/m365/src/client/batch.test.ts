import { describe, expect, it } from 'vitest';
import { aClient } from '../../testing/a-client.ts';
import type { ScriptedRequest } from '../../testing/scripted-transport.ts';
import { isGraphError } from '../errors/errors.ts';

interface Inner {
  readonly id: string;
  readonly url: string;
  readonly dependsOn?: readonly string[];
  readonly body: { readonly displayName: string };
}

const inner = (request: ScriptedRequest): Inner[] => (JSON.parse(String(request.body)) as { requests: Inner[] }).requests;
const created = (part: Inner): object => ({ id: part.id, status: 201, body: { id: `f-${part.body.displayName}` } });
const names = (count: number): { displayName: string }[] => Array.from({ length: count }, (_, index) => ({ displayName: `n${index}` }));

describe('a batch', () => {
  it('sends 20 at a time, chained to a mailbox, and answers in the order asked', async () => {
    const { client, run, transport } = aClient((request) => ({ json: { responses: inner(request).map(created).reverse() } }));
    const results = await run(client.exchange.mail.createFolders({ userId: 'u1' }, names(45)));
    expect(results.map((result) => ('folder' in result ? result.folder.id : 'error'))).toEqual(
      names(45).map(({ displayName }) => `f-${displayName}`),
    );
    expect(transport.requests.map((request) => inner(request).length)).toEqual([20, 20, 5]);
    const [first] = transport.requests;
    expect(first && inner(first)[3]).toMatchObject({ url: '/users/u1/mailFolders', dependsOn: ['3'] });
  });

  it('repeats only what was throttled, after the longest wait', async () => {
    let round = 0;
    const { client, run, transport } = aClient((request) => {
      round += 1;
      if (round > 1) return { json: { responses: inner(request).map(created) } };
      const responses = inner(request).map((part, index) =>
        index % 2 === 0
          ? created(part)
          : { id: part.id, status: 429, headers: { 'Retry-After': String(index) }, body: { error: { code: 'TooManyRequests' } } },
      );
      return { json: { responses } };
    });
    await run(client.exchange.mail.createFolders({ userId: 'u1' }, names(6)));
    expect(transport.requests.map((request) => inner(request).length)).toEqual([6, 3]);
    expect((transport.requests[1]?.atMs ?? 0) - (transport.requests[0]?.atMs ?? 0)).toBeGreaterThanOrEqual(5_000);
  });

  it('holds the mailbox of a throttled part before anything else of it is sent', async () => {
    let isFirst = true;
    const { client, run, transport } = aClient((request) => {
      if (!request.line.endsWith('/$batch')) return { json: { id: 'm' } };
      const parts = inner(request);
      if (!isFirst) return { json: { responses: parts.map(created) } };
      isFirst = false;
      return {
        json: {
          responses: parts.map((part) => ({
            id: part.id,
            status: 429,
            headers: { 'Retry-After': '60' },
            body: { error: { code: 'TooManyRequests' } },
          })),
        },
      };
    });
    const folders = client.exchange.mail.createFolders({ userId: 'u1' }, names(2));
    const reads = Array.from({ length: 8 }, (_, index) => client.exchange.mail.message({ userId: 'u1', messageId: `m${index}` }));
    await run(Promise.all([folders, ...reads]));
    const [first] = transport.requests;
    const between = transport.requests.filter((request) => request.atMs > (first?.atMs ?? 0) && request.atMs - (first?.atMs ?? 0) < 60_000);
    expect(between).toEqual([]);
  });

  it('asks again for what failed only because its predecessor did', async () => {
    let round = 0;
    const { client, run } = aClient((request) => {
      round += 1;
      const parts = inner(request);
      if (round > 1) return { json: { responses: parts.map(created) } };
      return {
        json: {
          responses: parts.map((part, index) =>
            index === 0
              ? { id: part.id, status: 409, body: { error: { code: 'ErrorFolderExists' } } }
              : { id: part.id, status: 424, body: { error: { code: 'FailedDependency' } } },
          ),
        },
      };
    });
    const results = await run(client.exchange.mail.createFolders({ userId: 'u1' }, names(3)));
    expect(results.map((result) => ('error' in result ? isGraphError(result.error, 'graph.name-taken') : result.folder.id))).toEqual([
      true,
      'f-n1',
      'f-n2',
    ]);
  });

  it('charges each part to the mailbox', async () => {
    const { client, run } = aClient((request) => ({ json: { responses: inner(request).map(created) } }));
    await run(client.exchange.mail.createFolders({ userId: 'u1' }, names(200)));
    expect(client.statistics().requests).toBe(10);
  });
});
