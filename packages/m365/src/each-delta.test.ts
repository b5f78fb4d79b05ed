import { describe, expect, it } from 'vitest';
import { aClient } from '../testing/a-client.ts';
import type { Respond, ScriptedRequest } from '../testing/scripted-transport.ts';
import type { Delta, DeltaCursor, DeltaStep } from './client/paging/paging-types.ts';
import type { GraphClient } from './graph-client.ts';

interface Row {
  readonly name: string;
  readonly delta: (client: GraphClient, cursor?: DeltaCursor) => Delta<unknown>;
  /** How the service says that a token is too old, and whether it sends the address of a fresh enumeration. */
  readonly expired: readonly [status: number, code: string, isLocated?: true];
}

const USER = { userId: 'u' };
const WINDOW = { from: '2026-01-01T00:00:00Z', to: '2026-02-01T00:00:00Z' };
const OUTLOOK = [410, 'SyncStateNotFound'] as const;
const SHAREPOINT = [410, 'resyncRequired', true] as const;

const rows: readonly Row[] = [
  { name: 'people', delta: ({ directory }, cursor) => directory.userDelta(cursor), expired: [410, 'SyncStateNotFound'] },
  { name: 'groups', delta: ({ directory }, cursor) => directory.groupDelta(cursor), expired: [410, 'SyncStateNotFound'] },
  { name: 'mail folders', delta: ({ exchange }, cursor) => exchange.mail.folderDelta(USER, cursor), expired: OUTLOOK },
  { name: 'messages', delta: ({ exchange }, cursor) => exchange.mail.messageDelta({ ...USER, folderId: 'f' }, cursor), expired: OUTLOOK },
  {
    name: 'a calendar view',
    delta: ({ exchange }, cursor) => exchange.calendar.viewDelta({ ...USER, calendarId: 'c' }, WINDOW, cursor),
    expired: OUTLOOK,
  },
  {
    name: 'contacts',
    delta: ({ exchange }, cursor) => exchange.contacts.contactDelta({ ...USER, folderId: 'f' }, cursor),
    expired: OUTLOOK,
  },
  { name: 'tasks', delta: ({ exchange }, cursor) => exchange.todo.taskDelta({ ...USER, listId: 'l' }, cursor), expired: OUTLOOK },
  { name: 'a drive', delta: ({ drives }, cursor) => drives.delta({ driveId: 'd' }, cursor), expired: SHAREPOINT },
  { name: 'sites', delta: ({ sites }, cursor) => sites.siteDelta(cursor), expired: SHAREPOINT },
  { name: 'list items', delta: ({ sites }, cursor) => sites.itemDelta({ siteId: 's', listId: 'l' }, cursor), expired: SHAREPOINT },
  {
    name: 'channel messages',
    delta: ({ teams }, cursor) => teams.messageDelta({ teamId: 't', channelId: 'c' }, cursor),
    expired: [400, 'SyncStateInvalid'],
  },
];

function step(request: ScriptedRequest): string {
  return request.query.get('at') ?? 'start';
}

/** Two pages that list everything, and then none with changes; `old` is a token that is too old. */
function service({ expired: [status, code, isLocated] }: Row): Respond {
  return (request) => {
    const link = (at: string): string => `${request.url.origin}${request.url.pathname}?at=${at}`;
    const value = (id: string): object[] => [{ id, '@odata.type': '#microsoft.graph.entity' }];
    switch (step(request)) {
      case '2':
        return { json: { value: value('b'), '@odata.deltaLink': link('round') } };
      case 'round':
        return { json: { value: [], '@odata.deltaLink': link('round') } };
      case 'old': {
        const headers: Record<string, string> = isLocated === true ? { location: link('start') } : {};
        return { status, headers, json: { error: { code, innerError: { code: 'resyncChangesApplyDifferences' } } } };
      }
      default:
        return { json: { value: value('a'), '@odata.nextLink': link('2') } };
    }
  };
}

async function stepsOf(delta: Delta<unknown>): Promise<DeltaStep<unknown>[]> {
  const steps: DeltaStep<unknown>[] = [];
  for await (const one of delta) steps.push(one);
  return steps;
}

function lastCursor(steps: readonly DeltaStep<unknown>[]): DeltaCursor {
  const last = steps.at(-1);
  if (last?.kind !== 'page' || !last.cursor) throw new Error('the round has no cursor');
  return last.cursor;
}

describe.each(rows)('the delta of $name', (row) => {
  it('lists everything, then changes only, with its preferences on every page', async () => {
    const { client, run, transport } = aClient(service(row));
    const first = await run(stepsOf(row.delta(client)));
    expect(first.map((one) => one.kind === 'page' && [one.full, one.last, one.entries.map(({ id }) => id)])).toEqual([
      [true, false, ['a']],
      [true, true, ['b']],
    ]);
    const second = await run(stepsOf(row.delta(client, lastCursor(first))));
    expect(second).toMatchObject([{ kind: 'page', full: false, last: true, entries: [] }]);
    expect(transport.requests.map(step)).toEqual(['start', '2', 'round']);
    expect(new Set(transport.requests.map(({ headers }) => headers['prefer'])).size).toBe(1);
  });

  it('says that its token is too old and begins where the service says, in the same round', async () => {
    const { client, run, transport } = aClient(service(row));
    const { link, ...cursor } = lastCursor(await run(stepsOf(row.delta(client))));
    const before = transport.requests.length;
    const steps = await run(stepsOf(row.delta(client, { ...cursor, link: link.replace('at=round', 'at=old') })));
    expect(steps[0]).toEqual({ kind: 'reset', reason: 'expired' });
    expect(steps.slice(1)).toMatchObject([
      { full: true, last: false },
      { full: true, last: true, cursor: { at: 'round' } },
    ]);
    expect(transport.requests.slice(before).map(step)).toEqual(['old', 'start', '2']);
    const again = transport.requests[before + 1];
    expect(again?.query.get('at') === 'start').toBe(row.expired[2] === true);
  });

  it('begins anew when the cursor was made by another query', async () => {
    const { client, run, transport } = aClient(service(row));
    const cursor = lastCursor(await run(stepsOf(row.delta(client))));
    const before = transport.requests.length;
    const steps = await run(stepsOf(row.delta(client, { ...cursor, query: 'another' })));
    expect(steps[0]).toEqual({ kind: 'reset', reason: 'query-changed' });
    expect(transport.requests.slice(before).map(step)).toEqual(['start', '2']);
  });
});
