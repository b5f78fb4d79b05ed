import { describe, expect, it } from 'vitest';
import { aClient } from '../../../testing/a-client.ts';
import { connectionLost, type ScriptedAnswer } from '../../../testing/scripted-transport.ts';
import { graphOutcome, isGraphError, type GraphErrorCode } from '../../errors/errors.ts';

const USER = { userId: 'u1' };
const FOLDER = { userId: 'u1', folderId: 'inbox' };
const MESSAGE = { userId: 'u1', messageId: 'm1' };

/** Answers in turn; the last one stays. */
function inTurn(...answers: readonly (ScriptedAnswer | (() => never))[]): () => ScriptedAnswer {
  let turn = 0;
  return () => {
    const answer = answers[Math.min(turn, answers.length - 1)];
    turn += 1;
    if (typeof answer === 'function') return answer();
    return answer ?? {};
  };
}

const throttled = (headers: Readonly<Record<string, string>>, status = 429): ScriptedAnswer => ({
  status,
  headers,
  json: { error: { code: 'TooManyRequests' } },
});
const ok: ScriptedAnswer = { json: { id: 'u1', displayName: 'Ada' } };
const fault: ScriptedAnswer = { status: 502, body: 'gateway' };

async function codeOf(work: Promise<unknown>): Promise<GraphErrorCode | undefined> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return isGraphError(error) ? error.code : undefined;
}

describe('a request', () => {
  it('carries user agent, request id and preferences, and the token to Graph only', async () => {
    const { client, run, transport } = aClient(() => ({ json: { id: 'm1' } }));
    await run(client.exchange.mail.folder(FOLDER));
    const [sent] = transport.requests;
    expect(sent?.headers).toMatchObject({ 'user-agent': 'ISV|Holdfast|Holdfast/1.0.0', accept: 'application/json' });
    expect(sent?.headers['client-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    expect(sent?.headers['prefer']).toBe('IdType="ImmutableId", include-unknown-enum-members');
    expect(sent?.headers['authorization']).toMatch(/^Bearer /);
  });

  it.each([
    ['whole seconds', { 'retry-after': '17' }, 429, 17_000],
    ['decimal seconds', { 'retry-after': '2.128' }, 429, 2_128],
    ['a date', { 'retry-after': 'Thu, 01 Jan 2026 00:00:30 GMT', date: 'Thu, 01 Jan 2026 00:00:00 GMT' }, 429, 30_000],
    ['seconds on 503', { 'retry-after': '9' }, 503, 9_000],
    ['the later of it and RateLimit-Reset', { 'retry-after': '1', 'ratelimit-reset': '60' }, 429, 60_000],
    ['300 seconds', { 'retry-after': '300' }, 429, 300_000],
  ])('waits for %s and not a moment less', async (_, headers, status, waitMs) => {
    const { client, run, transport } = aClient(inTurn(throttled(headers, status), ok));
    await run(client.directory.user(USER));
    const [first, second] = transport.requests;
    expect((second?.atMs ?? 0) - (first?.atMs ?? 0)).toBeGreaterThanOrEqual(waitMs);
    expect(client.statistics()).toMatchObject({ requests: 2, throttled: 1, repeated: 1 });
  });

  it('holds everything of a paused mailbox, and nothing of another', async () => {
    let isFirst = true;
    const { client, run, transport } = aClient((request) => {
      if (request.line.includes('/u1/') && isFirst) {
        isFirst = false;
        return throttled({ 'retry-after': '600' });
      }
      return { json: { id: 'x' } };
    });
    const first = client.exchange.mail.folder(FOLDER);
    await run(client.exchange.mail.folder({ userId: 'u2', folderId: 'a' }));
    const rest = Promise.all([first, client.exchange.mail.message(MESSAGE), client.exchange.mail.folder({ userId: 'u2', folderId: 'b' })]);
    await run(rest);
    const started = transport.requests[0]?.atMs ?? 0;
    const ofFirst = transport.requests.filter((request) => request.line.includes('/u1/')).slice(1);
    expect(ofFirst.every((request) => request.atMs - started >= 600_000)).toBe(true);
    const ofOther = transport.requests.filter((request) => request.line.includes('/u2/'));
    expect(ofOther.every((request) => request.atMs - started < 1_000)).toBe(true);
  });

  it('obeys a pause that another client over the same budgets was told', async () => {
    const one = aClient(inTurn(throttled({ 'retry-after': '60' }), ok));
    const two = aClient(() => ok, { clock: one.clock, budgets: one.budgets });
    const slow = one.client.exchange.mail.folder(FOLDER);
    await one.clock.advance(10);
    await one.run(Promise.all([slow, two.client.exchange.mail.folder(FOLDER)]));
    expect((two.transport.requests[0]?.atMs ?? 0) - (one.transport.requests[0]?.atMs ?? 0)).toBeGreaterThanOrEqual(60_000);
  });

  it('is never given up for being throttled often', async () => {
    let count = 0;
    const { client, run } = aClient(() => (++count <= 40 ? throttled({ 'retry-after': '1' }) : ok));
    expect((await run(client.directory.user(USER))).id).toBe('u1');
  });

  it('backs off further and further when a 429 names no time', async () => {
    const { client, run, transport } = aClient(inTurn(throttled({}), throttled({}), throttled({}), ok));
    await run(client.directory.user(USER));
    const gaps = transport.requests.slice(1).map((request, index) => request.atMs - (transport.requests[index]?.atMs ?? 0));
    expect(gaps[0]).toBeGreaterThanOrEqual(1_000);
    expect(gaps[2]).toBeGreaterThanOrEqual(4_000);
  });

  it('fails when it is told to wait for a day, and keeps the pause', async () => {
    const { client, run, transport } = aClient(inTurn(throttled({ 'retry-after': '86400' }), ok));
    expect(await codeOf(run(client.directory.user(USER)))).toBe('graph.throttled');
    expect(await codeOf(run(client.directory.user(USER)))).toBe('graph.throttled');
    expect(transport.requests).toHaveLength(1);
  });

  it('is repeated four times after faults of the service, then fails with the service’s words', async () => {
    const { client, run, transport } = aClient(() => ({ ...fault, headers: { 'request-id': 'r-1' } }));
    const error = await run(client.directory.user(USER)).catch((reason: unknown) => reason);
    expect(isGraphError(error, 'graph.service-fault') && error.details).toMatchObject({
      status: 502,
      requestId: 'r-1',
      request: 'GET /users/{id}',
    });
    expect(transport.requests).toHaveLength(5);
  });

  it('survives an outage of an hour without failing a single item', async () => {
    let start = -1;
    const { client, run } = aClient((request) => {
      if (start < 0) start = request.atMs;
      return request.atMs - start < 3_600_000 ? fault : { json: { id: request.line } };
    });
    const items = Array.from({ length: 40 }, (_, index) => client.exchange.mail.message({ userId: 'u1', messageId: `m${index}` }));
    const settled = await run(Promise.allSettled(items));
    const failed = settled.filter((result) => result.status === 'rejected').length;
    expect(failed).toBeLessThanOrEqual(3);
  });

  it('lets one thing that always fails fail for itself, asked for by many at once and in parts', async () => {
    const { client, run, clock } = aClient(() => fault);
    const { mail } = client.exchange;
    const asked = [...Array.from({ length: 6 }, () => mail.message(MESSAGE)), mail.attachments(MESSAGE)[Symbol.asyncIterator]().next()];
    expect((await run(Promise.allSettled(asked))).every(({ status }) => status === 'rejected')).toBe(true);
    expect(clock.monotonicMs()).toBeLessThan(5 * 60_000);
  });

  it('renews a refused token once and goes on', async () => {
    const { client, run, transport } = aClient(inTurn({ status: 401, json: { error: { code: 'InvalidAuthenticationToken' } } }, ok));
    expect((await run(client.directory.user(USER))).id).toBe('u1');
    expect(transport.signIns).toBe(2);
  });

  it('ends the run when a renewed token is refused too', async () => {
    const { client, run, transport } = aClient(() => ({ status: 401, json: { error: { code: 'InvalidAuthenticationToken' } } }));
    const error = await run(client.directory.user(USER)).catch((reason: unknown) => reason);
    expect(graphOutcome(error)).toBe('tenant');
    expect(transport.requests).toHaveLength(2);
  });

  it('renews its token five minutes before it ends, once for all who wait', async () => {
    const { client, run, transport, clock } = aClient(() => ok);
    await run(client.directory.user(USER));
    await clock.advance(3_290_000);
    await run(client.directory.user(USER));
    expect(transport.signIns).toBe(1);
    await clock.advance(20_000);
    await run(Promise.all(Array.from({ length: 30 }, () => client.directory.user(USER))));
    expect(transport.signIns).toBe(2);
  });

  it('runs for half an hour on tokens of five minutes', async () => {
    const { client, run, clock } = aClient(() => ok, { tokenSeconds: 300 });
    for (let minute = 0; minute < 30; minute += 1) {
      await run(client.directory.user(USER));
      await clock.advance(60_000);
    }
    expect(client.statistics().requests).toBe(30);
  });

  it('names the roles that would open what was refused', async () => {
    const { client, run } = aClient(() => ({ status: 403, json: { error: { code: 'ErrorAccessDenied' } } }), { roles: ['User.Read.All'] });
    const error = await run(client.exchange.mail.message(MESSAGE)).catch((reason: unknown) => reason);
    expect(isGraphError(error, 'graph.permission-missing') && error.details['roles']).toContain('Mail.Read');
  });

  it('calls a mailbox closed when the role is there', async () => {
    const { client, run } = aClient(() => ({ status: 403, json: { error: { code: 'ErrorAccessDenied' } } }), { roles: ['Mail.ReadWrite'] });
    expect(await codeOf(run(client.exchange.mail.message(MESSAGE)))).toBe('graph.mailbox-closed');
  });

  it('never has more than four requests of a mailbox in flight', async () => {
    let inFlight = 0;
    let peak = 0;
    const test = aClient(async () => {
      inFlight += 1;
      peak = Math.max(peak, inFlight);
      await test.clock.sleep(50);
      inFlight -= 1;
      return { json: { id: 'm' } };
    });
    await test.run(
      Promise.all(Array.from({ length: 60 }, (_, index) => test.client.exchange.mail.message({ userId: 'u1', messageId: `m${index}` }))),
    );
    expect(peak).toBe(4);
  });

  it('stops waiting at once when it is cancelled', async () => {
    const test = aClient(() => throttled({ 'retry-after': '3000' }));
    const cancel = new AbortController();
    const work = test.client.with({ signal: cancel.signal }).directory.user(USER);
    work.catch(() => undefined);
    await test.clock.advance(1_000);
    cancel.abort(new Error('cancelled'));
    await expect(work).rejects.toThrow('cancelled');
  });

  it('lets restores go before backups that waited longer', async () => {
    const order: string[] = [];
    const test = aClient(async (request) => {
      order.push(request.line.includes('restored') ? 'restore' : 'backup');
      await test.clock.sleep(100);
      return { json: { id: 'm' } };
    });
    const backups = Array.from({ length: 12 }, (_, index) => test.client.exchange.mail.message({ userId: 'u1', messageId: `m${index}` }));
    await test.clock.advance(10);
    const restores = test.client.with({ priority: 'restore' });
    const restored = Array.from({ length: 3 }, (_, index) =>
      restores.exchange.mail.message({ userId: 'u1', messageId: `restored${index}` }),
    );
    await test.run(Promise.all([...backups, ...restored]));
    expect(order.slice(4, 7)).toEqual(['restore', 'restore', 'restore']);
  });
});

describe('a create whose answer was lost', () => {
  it.each([
    ['a time-out of the gateway', { status: 504, body: '' }],
    ['throttling', throttled({ 'retry-after': '1' })],
    ['a reset', connectionLost],
  ])('is not repeated after %s when it cannot be looked for', async (_, answer) => {
    const { client, run, transport } = aClient(inTurn(answer, { json: { id: 'm2' } }));
    expect(await codeOf(run(client.exchange.mail.createMessage(FOLDER, { subject: 's' })))).toBe('graph.write-uncertain');
    expect(transport.requests).toHaveLength(1);
  });

  it('is taken as done when it is found', async () => {
    const { client, run, transport } = aClient(inTurn({ status: 504, body: '' }, { json: { id: 'twice' } }));
    const message = await run(
      client.exchange.mail.createMessage(FOLDER, { subject: 's' }, { recover: () => Promise.resolve({ id: 'found' }) }),
    );
    expect(message.id).toBe('found');
    expect(transport.requests).toHaveLength(1);
  });

  it('is repeated when it is not found', async () => {
    const { client, run, transport } = aClient(inTurn({ status: 504, body: '' }, { json: { id: 'second' } }));
    const message = await run(client.exchange.mail.createMessage(FOLDER, { subject: 's' }, { recover: () => Promise.resolve(undefined) }));
    expect(message.id).toBe('second');
    expect(transport.requests).toHaveLength(2);
  });

  it('is simply repeated where a second one is refused by its name', async () => {
    const { client, run } = aClient(inTurn({ status: 504, body: '' }, { status: 409, json: { error: { code: 'ErrorFolderExists' } } }));
    expect(await codeOf(run(client.exchange.mail.createFolder(USER, { displayName: 'A' })))).toBe('graph.name-taken');
  });
});

describe('an answer', () => {
  it('without an id is refused', async () => {
    const { client, run } = aClient(() => ({ json: { displayName: 'nobody' } }));
    expect(await codeOf(run(client.directory.user(USER)))).toBe('graph.unexpected-response');
  });
  it('cut short is asked for again', async () => {
    const { client, run, transport } = aClient(inTurn({ body: '{"id":"u' }, ok));
    expect((await run(client.directory.user(USER))).displayName).toBe('Ada');
    expect(transport.requests).toHaveLength(2);
  });
  it('that something is gone makes a deletion done', async () => {
    const { client, run } = aClient(() => ({ status: 404, json: { error: { code: 'ErrorItemNotFound' } } }));
    await expect(run(client.exchange.mail.deleteMessage(MESSAGE))).resolves.toBeUndefined();
    await expect(run(client.directory.photo(USER))).resolves.toBeUndefined();
  });
});

describe('what a restore must never send', () => {
  it('is refused before it leaves', async () => {
    const { client, run, transport } = aClient(() => ({ json: { id: 'e', attendees: [{ type: 'required' }] } }));
    const calendar = { userId: 'u1', calendarId: 'c' };
    expect(await codeOf(client.exchange.calendar.createEvent(calendar, { subject: 's', attendees: [{}] }))).toBe('graph.bad-request');
    expect(await codeOf(client.exchange.calendar.createEvent(calendar, { isOnlineMeeting: true }))).toBe('graph.bad-request');
    expect(await codeOf(client.exchange.calendar.updateEvent({ userId: 'u1', eventId: 'e' }, { attendees: [{}] }))).toBe(
      'graph.bad-request',
    );
    expect(transport.requests).toHaveLength(0);
    expect(await codeOf(run(client.exchange.calendar.deleteEvent({ userId: 'u1', eventId: 'e' })))).toBe('graph.bad-request');
    expect(transport.requests.map((request) => request.method)).toEqual(['GET']);
  });
});
