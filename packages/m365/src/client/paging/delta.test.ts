import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { aClient, type ClientUnderTest } from '../../../testing/a-client.ts';
import type { ScriptedAnswer, ScriptedRequest } from '../../../testing/scripted-transport.ts';
import { isGraphError } from '../../errors/errors.ts';
import type { MessageEntry } from '../../exchange/mail-api.ts';
import type { Delta, DeltaCursor, DeltaPage, DeltaStep } from './paging-types.ts';

const FOLDER = { userId: 'u1', folderId: 'inbox' };
const BASE = 'https://graph.microsoft.com/v1.0/users/u1/mailFolders/inbox/messages/delta';

async function stepsOf<T>(test: ClientUnderTest, delta: Delta<T>): Promise<DeltaStep<T>[]> {
  const steps: DeltaStep<T>[] = [];
  const read = async (): Promise<void> => {
    for await (const step of delta) steps.push(step);
  };
  await test.run(read());
  return steps;
}

function page(values: readonly object[], link: Readonly<Record<string, string>>): ScriptedAnswer {
  return { json: { value: values, ...link } };
}
const next = (token: string): Record<string, string> => ({ '@odata.nextLink': `${BASE}?$skiptoken=${token}` });
const done = (token: string): Record<string, string> => ({ '@odata.deltaLink': `${BASE}?$deltatoken=${token}` });

function byToken(answers: Readonly<Record<string, ScriptedAnswer | (() => ScriptedAnswer)>>): (request: ScriptedRequest) => ScriptedAnswer {
  return (request) => {
    const token =
      request.query.get('$skiptoken') ?? request.query.get('$deltatoken') ?? (request.line.endsWith('/delta') ? 'start' : 'list');
    const answer = answers[token];
    if (!answer) throw new Error(`unscripted ${token}`);
    return typeof answer === 'function' ? answer() : answer;
  };
}

describe('a delta round', () => {
  it('follows links verbatim, repeats its preferences, and ends with a cursor for changes', async () => {
    const test = aClient(
      byToken({ start: page([{ id: 'a' }], next('2')), 2: page([{ id: 'b', '@removed': { reason: 'deleted' } }], done('t')) }),
    );
    const steps = await stepsOf(test, test.client.exchange.mail.messageDelta(FOLDER));
    expect(steps).toMatchObject([
      { kind: 'page', full: true, last: false, entries: [{ kind: 'present', id: 'a' }], cursor: { at: 'page', full: true } },
      {
        kind: 'page',
        full: true,
        last: true,
        entries: [{ kind: 'removed', id: 'b', reason: 'deleted' }],
        cursor: { at: 'round', link: `${BASE}?$deltatoken=t` },
      },
    ]);
    const prefers = test.transport.requests.map((request) => request.headers['prefer']);
    expect(prefers).toEqual(Array.from({ length: 2 }, () => 'odata.maxpagesize=500, IdType="ImmutableId", include-unknown-enum-members'));
    expect(test.transport.requests[1]?.url.href).toBe(`${BASE}?$skiptoken=2`);
  });

  it('continues from the cursor of the last durable page', async () => {
    const pages = Object.fromEntries(
      [1, 2, 3, 4, 5, 6, 7].map((number) => [
        number === 1 ? 'start' : String(number),
        page([{ id: `m${number}` }], number === 7 ? done('t') : next(String(number + 1))),
      ]),
    );
    const test = aClient(byToken(pages));
    const first = await stepsOf(test, test.client.exchange.mail.messageDelta(FOLDER));
    const third = first[2];
    const cursor = third?.kind === 'page' ? (JSON.parse(JSON.stringify(third.cursor)) as DeltaCursor) : undefined;
    const rest = await stepsOf(test, test.client.exchange.mail.messageDelta(FOLDER, cursor));
    expect(rest.flatMap((step) => (step.kind === 'page' ? step.entries.map((entry) => entry.id) : []))).toEqual(['m4', 'm5', 'm6', 'm7']);
    expect(rest.every((step) => step.kind === 'page' && step.full)).toBe(true);
  });

  it.each([
    [410, 'SyncStateNotFound'],
    [400, 'SyncStateInvalid'],
    [410, 'resyncRequired'],
  ])('says that the token expired (%i %s) and lists everything in the same loop', async (status, code) => {
    const gone: ScriptedAnswer = { status, json: { error: { code } } };
    const test = aClient(byToken({ start: page([{ id: 'a' }], done('new')), old: gone }));
    const cursor = { version: 1, query: '', link: `${BASE}?$deltatoken=old`, at: 'round', full: false } as const;
    const probe = await stepsOf(test, test.client.exchange.mail.messageDelta(FOLDER));
    const known = probe[0]?.kind === 'page' ? (probe[0].cursor?.query ?? '') : '';
    const steps = await stepsOf(test, test.client.exchange.mail.messageDelta(FOLDER, { ...cursor, query: known }));
    expect(steps).toMatchObject([
      { kind: 'reset', reason: 'expired' },
      { kind: 'page', full: true, last: true, entries: [{ id: 'a' }] },
    ]);
  });

  it('begins again where the service says', async () => {
    const link = 'https://graph.microsoft.com/v1.0/drives/d1/root/delta?token=';
    const test = aClient((request) => {
      const token = request.query.get('token');
      if (token === 'old') return { status: 410, headers: { location: `${link}fresh` }, json: { error: { code: 'resyncRequired' } } };
      return { json: { value: [{ id: String(token) }], '@odata.deltaLink': `${link}next` } };
    });
    const [probe] = await stepsOf(test, test.client.drives.delta({ driveId: 'd1' }));
    const query = probe?.kind === 'page' ? (probe.cursor?.query ?? '') : '';
    const cursor = { version: 1, query, link: `${link}old`, at: 'round', full: false } as const;
    const steps = await stepsOf(test, test.client.drives.delta({ driveId: 'd1' }, cursor));
    expect(steps).toMatchObject([{ kind: 'reset' }, { kind: 'page', entries: [{ id: 'fresh' }], full: true }]);
  });

  it.each(['?token=fresh', '?$expand=fields&token=fresh'])('asks there for all that it asked for at first (%s)', async (given) => {
    const link = 'https://graph.microsoft.com/v1.0/sites/s1/lists/l1/items/delta';
    const test = aClient((request) => {
      if (request.query.get('token') === null)
        return { status: 410, headers: { location: `${link}${given}` }, json: { error: { code: 'resyncRequired' } } };
      return { json: { value: [], '@odata.deltaLink': `${link}?token=next` } };
    });
    await stepsOf(test, test.client.sites.itemDelta({ siteId: 's1', listId: 'l1' }));
    const asked = test.transport.requests.at(-1)?.url.searchParams;
    expect(asked?.getAll('$expand')).toEqual(['fields']);
    expect([...(asked?.keys() ?? [])].toSorted()).toEqual(['$expand', 'token']);
  });

  it('starts anew when the cursor was made by another query', async () => {
    const test = aClient(byToken({ start: page([], done('t')) }));
    const cursor = { version: 1, query: 'other', link: `${BASE}?$deltatoken=x`, at: 'round', full: false } as const;
    expect(await stepsOf(test, test.client.exchange.mail.messageDelta(FOLDER, cursor))).toMatchObject([
      { kind: 'reset', reason: 'query-changed' },
      { kind: 'page', full: true },
    ]);
  });

  it('lists a mailbox that is over its quota, without a cursor', async () => {
    const test = aClient(
      byToken({ start: { status: 507, json: { error: { code: 'ErrorQuotaExceeded' } } }, list: page([{ id: 'a' }, { id: 'b' }], {}) }),
    );
    const steps = await stepsOf(test, test.client.exchange.mail.messageDelta(FOLDER));
    expect(steps).toMatchObject([
      { kind: 'reset', reason: 'listed' },
      { kind: 'page', entries: [{ id: 'a' }, { id: 'b' }] },
      { kind: 'page', entries: [], last: true },
    ]);
    expect(steps.some((step) => step.kind === 'page' && step.cursor)).toBe(false);
  });

  it('halves pages that the service cannot make in time, down to ten, then lists', async () => {
    const sizes: number[] = [];
    const test = aClient((request) => {
      if (!request.line.endsWith('/delta')) return page([{ id: 'a' }], {});
      sizes.push(Number(/maxpagesize=(\d+)/.exec(request.headers['prefer'] ?? '')?.[1]));
      return { status: 503, body: '' };
    });
    const steps = await stepsOf(test, test.client.exchange.mail.messageDelta(FOLDER));
    expect(steps[0]).toEqual({ kind: 'reset', reason: 'listed' });
    expect([...new Set(sizes)]).toEqual([500, 250, 125, 62, 31, 15, 10]);
  });

  it('goes on with smaller pages when those can be made', async () => {
    const test = aClient((request) => {
      const size = Number(/maxpagesize=(\d+)/.exec(request.headers['prefer'] ?? '')?.[1]);
      return size > 100 ? { status: 503, body: '' } : page([{ id: 'a' }], done('t'));
    });
    expect(await stepsOf(test, test.client.exchange.mail.messageDelta(FOLDER))).toMatchObject([
      { kind: 'page', last: true, cursor: { at: 'round' } },
    ]);
  });

  it.each([
    ['pages that lead back', byToken({ start: page([{ id: 'a' }], next('2')), 2: page([{ id: 'b' }], next('2')) })],
    [
      'empty pages without end',
      (request: ScriptedRequest): ScriptedAnswer => page([], next(String(Number(request.query.get('$skiptoken') ?? 0) + 1))),
    ],
  ])('notices %s', async (_, respond) => {
    const test = aClient(respond);
    const error = await stepsOf(test, test.client.exchange.mail.messageDelta(FOLDER)).catch((reason: unknown) => reason);
    expect(isGraphError(error, 'graph.endless-pages')).toBe(true);
  });

  it('never follows a link to another host', async () => {
    const test = aClient(byToken({ start: page([], { '@odata.nextLink': 'https://evil.example/v1.0/x' }) }));
    const error = await stepsOf(test, test.client.exchange.mail.messageDelta(FOLDER)).catch((reason: unknown) => reason);
    expect(isGraphError(error, 'graph.foreign-host')).toBe(true);
    expect(test.transport.requests).toHaveLength(1);
  });

  it.each([{ value: 'none' }, { value: [{ noId: true }], '@odata.deltaLink': BASE }, { value: [] }, []])(
    'refuses %j as a page',
    async (json) => {
      const test = aClient(() => ({ json }));
      const error = await stepsOf(test, test.client.exchange.mail.messageDelta(FOLDER)).catch((reason: unknown) => reason);
      expect(isGraphError(error, 'graph.unexpected-response')).toBe(true);
    },
  );
});

/** A collection that is read by delta while it changes: replays, repeats, empty pages, moves, resets. */
interface Model {
  readonly items: Map<string, number>;
  readonly log: { readonly id: string; readonly removed: boolean }[];
}

const change = fc.record({ id: fc.integer({ min: 0, max: 30 }), removes: fc.boolean() });
const script = fc.record({
  rounds: fc.array(fc.array(change, { maxLength: 25 }), { minLength: 1, maxLength: 6 }),
  duringPages: fc.array(change, { maxLength: 20 }),
  pageSize: fc.integer({ min: 1, max: 7 }),
  expires: fc.array(fc.boolean(), { maxLength: 6 }),
  noise: fc.integer(),
});

function apply(model: Model, { id, removes }: { readonly id: number; readonly removes: boolean }): void {
  const name = `m${id}`;
  if (removes && !model.items.delete(name)) return;
  if (!removes) model.items.set(name, (model.items.get(name) ?? 0) + 1);
  model.log.push({ id: name, removed: removes });
}

function aChangingFolder(plan: {
  readonly duringPages: readonly { id: number; removes: boolean }[];
  readonly pageSize: number;
  readonly noise: number;
}): {
  readonly model: Model;
  expireNext: boolean;
  respond(request: ScriptedRequest): ScriptedAnswer;
} {
  const model: Model = { items: new Map(), log: [] };
  const pending = [...plan.duringPages];
  let noise = plan.noise >>> 0;
  const chance = (): number => {
    noise = (Math.imul(noise, 1_664_525) + 1_013_904_223) >>> 0;
    return noise / 2 ** 32;
  };
  const folder = {
    model,
    expireNext: false,
    respond(request: ScriptedRequest): ScriptedAnswer {
      const token = request.query.get('$skiptoken') ?? request.query.get('$deltatoken');
      if (token !== null && folder.expireNext) {
        folder.expireNext = false;
        return { status: 410, json: { error: { code: 'SyncStateNotFound' } } };
      }
      const [from = 0, until = model.log.length] = (token ?? '').split('-').filter(Boolean).map(Number);
      const end = Math.min(until, from + plan.pageSize);
      const ids = [...new Set(model.log.slice(from, end).map((entry) => entry.id))];
      const values = ids.map((id) =>
        model.items.has(id) ? { id, changeKey: String(model.items.get(id)) } : { id, '@removed': { reason: 'deleted' } },
      );
      if (chance() < 0.3) values.push(...values.slice(0, 1));
      if (chance() < 0.5) values.reverse();
      const changed = pending.shift();
      if (changed) apply(model, changed);
      if (chance() < 0.2) return page([], next(`${from}-${until}-${noise}`));
      return page(values, end < until ? next(`${end}-${until}-${noise}`) : done(String(end)));
    },
  };
  return folder;
}

function applyPage(view: Map<string, string>, step: DeltaPage<MessageEntry>, seen: Set<string>): void {
  for (const entry of step.entries) {
    seen.add(entry.id);
    if (entry.kind === 'removed') view.delete(entry.id);
    else view.set(entry.id, String(entry.item.changeKey));
  }
  if (!step.last || !step.full) return;
  for (const id of view.keys()) if (!seen.has(id)) view.delete(id);
}

async function follow(test: ClientUnderTest, view: Map<string, string>, cursor: DeltaCursor | undefined): Promise<DeltaCursor | undefined> {
  let seen = new Set<string>();
  let last = cursor;
  for (const step of await stepsOf<MessageEntry>(test, test.client.exchange.mail.messageDelta(FOLDER, cursor))) {
    if (step.kind === 'reset') {
      seen = new Set();
      continue;
    }
    applyPage(view, step, seen);
    last = step.cursor ?? last;
  }
  return last;
}

describe('the view that delta rounds build', () => {
  it('equals the folder after every quiet round, whatever happened before', async () => {
    await fc.assert(
      fc.asyncProperty(script, async (plan) => {
        const folder = aChangingFolder(plan);
        const test = aClient((request) => folder.respond(request), { seed: plan.noise });
        const view = new Map<string, string>();
        let cursor: DeltaCursor | undefined;
        for (const [index, changes] of plan.rounds.entries()) {
          for (const one of changes) apply(folder.model, one);
          folder.expireNext = plan.expires[index] ?? false;
          cursor = await follow(test, view, cursor);
        }
        folder.expireNext = false;
        for (let quiet = 0; quiet < 25; quiet += 1) cursor = await follow(test, view, cursor);
        const expected = new Map([...folder.model.items].map(([id, version]) => [id, String(version)]));
        expect(view).toEqual(expected);
      }),
      { numRuns: 60 },
    );
  });
});
