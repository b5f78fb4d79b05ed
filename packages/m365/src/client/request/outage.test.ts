import { describe, expect, it } from 'vitest';
import { aClient } from '../../../testing/a-client.ts';
import { connectionLost, type ScriptedAnswer } from '../../../testing/scripted-transport.ts';

const MINUTE_MS = 60_000;
const fault: ScriptedAnswer = { status: 503, body: 'gateway' };

/** Answers `during` for a while from the first request on, and well afterwards. */
function awayFor(ms: number, during: () => ScriptedAnswer, isHit: (line: string) => boolean = () => true) {
  let start = -1;
  return ({ line, atMs }: { readonly line: string; readonly atMs: number }): ScriptedAnswer => {
    if (start < 0) start = atMs;
    return isHit(line) && atMs - start < ms ? during() : { json: { id: 'x', value: [{ id: 't' }] } };
  };
}

describe('a run whose service is away', () => {
  it.each([
    ['answers faults', () => fault, 'graph.service-fault'],
    ['does not answer', () => connectionLost(), 'graph.network'],
  ])('waits when all of it %s, and says so until it answers again', async (_, during, code) => {
    const { client, run } = aClient(awayFor(20 * MINUTE_MS, during));
    const told: (string | undefined)[] = [];
    await run(client.with({ onWaiting: (next) => told.push(next) }).directory.user({ userId: 'u1' }));
    expect(told[0]).toBe(code);
    expect(told.at(-1)).toBeUndefined();
  });

  it.each([0, 1, 3])(
    'goes on when the service comes back between the last attempt and the question after %i without an answer',
    async (away) => {
      let questions = 0;
      const { client, run } = aClient(({ line }) => {
        if (line.includes('/organization')) questions += 1;
        return questions > away ? { json: { id: 'x', value: [] } } : fault;
      });
      const told: (string | undefined)[] = [];
      await run(client.with({ onWaiting: (next) => told.push(next) }).directory.user({ userId: 'u1' }));
      expect(told.filter(Boolean)).toHaveLength(away);
      expect(told.at(-1)).toBeUndefined();
    },
  );

  it('fails for an address that still fails when the service is back', async () => {
    let questions = 0;
    const { client, run } = aClient(({ line }) => {
      if (line.includes('/organization')) questions += 1;
      return line.includes('/organization') && questions > 1 ? { json: { value: [] } } : fault;
    });
    const user = client.with({ onWaiting: () => undefined }).directory.user({ userId: 'u1' });
    await expect(run(user)).rejects.toMatchObject({ code: 'graph.service-fault' });
    expect(questions).toBe(3);
  });

  it('does not wait for one address that fails while the service answers', async () => {
    const { client, run, clock } = aClient(
      awayFor(
        Infinity,
        () => ({ status: 500, body: '' }),
        (line) => line.includes('/u1'),
      ),
    );
    const told: (string | undefined)[] = [];
    const user = client.with({ onWaiting: (next) => told.push(next) }).directory.user({ userId: 'u1' });
    await expect(run(user)).rejects.toMatchObject({ code: 'graph.service-fault' });
    expect(told.filter(Boolean)).toEqual([]);
    expect(clock.monotonicMs()).toBeLessThan(5 * MINUTE_MS);
  });

  it('waits when every mailbox fails at its first request, although the directory answers', async () => {
    const { client, run } = aClient(
      awayFor(
        20 * MINUTE_MS,
        () => fault,
        (line) => line.includes('/mailFolders'),
      ),
    );
    const told = new Set<string>();
    const mailboxes = ['u1', 'u2', 'u3'].map((userId) =>
      client.with({ onWaiting: (code) => code && told.add(`${userId} ${code}`) }).exchange.mail.folder({ userId, folderId: 'f' }),
    );
    await run(Promise.all(mailboxes));
    expect(told.size).toBeGreaterThan(0);
  });

  it('fails after an hour and a half', async () => {
    const { client, run, clock } = aClient(() => fault);
    const told: (string | undefined)[] = [];
    const user = client.with({ onWaiting: (next) => told.push(next) }).directory.user({ userId: 'u1' });
    await expect(run(user)).rejects.toMatchObject({ code: 'graph.service-fault' });
    expect(told.at(-1)).toBeUndefined();
    expect(clock.monotonicMs()).toBeGreaterThan(90 * MINUTE_MS);
  });

  it('keeps nobody at a screen waiting', async () => {
    const { client, run, clock } = aClient(() => fault);
    await expect(run(client.directory.user({ userId: 'u1' }))).rejects.toMatchObject({ code: 'graph.service-fault' });
    expect(clock.monotonicMs()).toBeLessThan(5 * MINUTE_MS);
  });
});
