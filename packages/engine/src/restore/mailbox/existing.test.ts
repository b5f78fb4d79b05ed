import { graphError } from '@holdfast/m365';
import { describe, expect, it } from 'vitest';
import { anItem } from '../../../testing/builders.ts';
import { createBeginnings } from '../beginnings.ts';
import type { RestoreContext } from '../restorer.ts';
import { createExistingEvents } from './existing-events.ts';
import { createExistingTasks } from './existing-tasks.ts';
import { createTargetFolders } from './folders.ts';

const report = { begin: async () => {}, uploading: async () => {}, tell: async () => {} };

function list(entries: readonly object[]) {
  return async function* () {
    yield* entries;
  };
}

/** A restore into a mailbox of which these calls are known. */
function into(
  exchange: object,
  { folder, isOriginal = false }: { readonly folder?: string; readonly isOriginal?: boolean } = {},
): RestoreContext {
  return {
    request: { target: { resource: { graphId: 'u' }, ...(folder === undefined ? {} : { folder }) }, source: { id: 'r' } },
    graph: { exchange },
    isOriginal,
    sequence: 1,
    catalog: { items: list([]) },
    beginnings: createBeginnings(report, undefined),
  } as unknown as RestoreContext;
}

describe('an event that may be there', () => {
  const utc = (dateTime: string) => ({ dateTime, timeZone: 'UTC' });
  const bare = { id: 'bare' };
  const events = [{ id: 'shared', iCalUId: 'uid' }, bare, { id: 'like', subject: 'Review', start: utc('2026-03-02T10:00:00'), end: null }];

  function aCalendar(wholes: Readonly<Record<string, object>> = {}, all: readonly object[] = events) {
    const calendar = {
      calendars: list([{ id: 'nameless' }, { id: 'default', name: 'Calendar', isDefaultCalendar: true }]),
      events: list(all),
      event: async ({ eventId }: { readonly eventId: string }) => wholes[eventId] ?? {},
    };
    return createExistingEvents(into({ calendar }));
  }

  it('is found by its id, by the id that all calendars share, or by what it says', async () => {
    const found = (key: string, properties = {}, name = '') =>
      aCalendar().existingEvent('default', anItem(key, { kind: 'event', name, properties }));
    expect(await found('bare')).toBe('bare');
    expect(await found('other', { iCalUId: 'uid' })).toBe('shared');
    expect(await found('other', { read: { start: utc('2026-03-02T10:00:59') } }, 'Review')).toBe('like');
    expect(await found('other', { iCalUId: 'unknown' }, 'Nothing like it')).toBeUndefined();
    expect(await aCalendar().calendars()).toEqual(
      new Map([
        ['calendar', 'default'],
        ['', 'default'],
      ]),
    );
  });

  it('is the one of a lost answer only when it is new, of that subject and that beginning', async () => {
    const all: object[] = [bare];
    const wholes: Record<string, object> = {
      other: { subject: 'Other' },
      later: { subject: 'Review', start: utc('2026-03-02T11:00:00') },
      mine: { subject: 'Review', start: utc('2026-03-02T10:00:00.0000000') },
    };
    const calendar = aCalendar(wholes, all);
    const body = { subject: 'Review', start: utc('2026-03-02T10:00:00') };
    expect(await calendar.made('default', body)).toBeUndefined();
    all.push({ id: 'other' }, { id: 'later' }, { id: 'mine' });
    expect(await calendar.made('default', body)).toEqual({ id: 'mine' });
    expect(await calendar.made('default', body), 'it is the answer to one request only').toBeUndefined();
  });

  it('has no time to compare where the service tells it in another zone, or none', async () => {
    const all: object[] = [];
    const berlin = { dateTime: '2026-03-02T11:00:00', timeZone: 'Europe/Berlin' };
    const calendar = aCalendar({ elsewhere: { subject: 'Review', start: berlin }, empty: {} }, all);
    await calendar.seenIn('default');
    all.push({ id: 'elsewhere' }, { id: 'empty' });
    expect(await calendar.made('default', { subject: 'Review', start: utc('2026-03-02T10:00:00') })).toEqual({ id: 'elsewhere' });
    expect(await calendar.made('default', {})).toEqual({ id: 'empty' });
  });
});

describe('a task that may be there', () => {
  it('is found by its id, by title and time of making, or by what it says', async () => {
    const tasks = [
      { id: 'bare' },
      { id: 'made', title: 'Call', createdDateTime: '2026-01-01T00:00:00Z' },
      { id: 'alike', title: 'Read', body: { content: ' the \n plan ' }, dueDateTime: { dateTime: '2026-02-01T00:00:00' } },
    ];
    const existing = createExistingTasks(into({ todo: { tasks: list(tasks) } }));
    const find = (key: string, name = '', changes = {}) => existing.find('list', anItem(key, { kind: 'task', name, ...changes }), []);
    expect(await find('bare')).toMatchObject({ id: 'bare' });
    expect(await find('other', 'Call', { createdAt: '2026-01-01T00:00:00Z' })).toMatchObject({ id: 'made' });
    const stored = { title: 'Read', body: { content: 'the plan' }, dueDateTime: { dateTime: '2026-02-01T09:00:00' } };
    expect(await existing.like('list', stored)).toMatchObject([{ id: 'alike' }]);
    expect(await existing.like('list', {})).toMatchObject([{ id: 'bare' }]);
    expect(await find('other', 'Nothing like it')).toBeUndefined();
  });
});

describe('a folder that may be there', () => {
  interface Found {
    readonly id: string;
    readonly displayName?: string;
  }

  function aMailbox({ folders = [], folder, refusal, taken }: Folders = {}) {
    const made: unknown[] = [];
    const there: Found[] = [...folders];
    const mail = {
      folders: () => list(there)(),
      folder: async ({ folderId }: { readonly folderId: string }) => {
        const found = folder?.(folderId);
        if (found instanceof Error) throw found;
        return found;
      },
      createFolder: async (_parent: object, body: { readonly displayName: string }) => {
        made.push(body);
        if (taken) there.push(taken);
        if (refusal) throw refusal;
        return { id: `made ${body.displayName}` };
      },
    };
    return { made, mail };
  }
  interface Folders {
    readonly folders?: readonly Found[];
    readonly folder?: (id: string) => Found | Error;
    readonly refusal?: Error;
    /** Appears when one is made. */
    readonly taken?: Found;
  }
  const aFolder = (name: string, properties = {}) => anItem('key', { kind: 'mailFolder', name, properties });

  it('is found below its parent whatever the case, or made there; hidden ones are made hidden', async () => {
    const { mail, made } = aMailbox({ folders: [{ id: 'nameless' }, { id: 'plans', displayName: ' PLANS ' }] });
    const target = createTargetFolders(into({ mail }));
    expect(await target.place(aFolder('Plans'), undefined)).toEqual({ outcome: 'skipped', targetId: 'plans' });
    expect(await target.place(aFolder('New', { isHidden: true }), undefined)).toEqual({ outcome: 'restored', targetId: 'made New' });
    expect(made).toEqual([{ displayName: 'New', isHidden: true }]);
  });

  it('is the one it was, by id and name, in its own mailbox; well-known ones go by what they are', async () => {
    const folder = (id: string) => ({ id, displayName: id === 'key' ? 'plans' : 'Posteingang' });
    const own = createTargetFolders(into({ mail: aMailbox({ folder }).mail }, { isOriginal: true }));
    expect(await own.place(aFolder('Plans'), undefined)).toMatchObject({ outcome: 'skipped', targetId: 'key' });
    expect(await own.place(aFolder('Inbox', { wellKnown: 'inbox' }), undefined)).toMatchObject({ targetId: 'inbox' });
    expect(await own.place(aFolder('Renamed since'), undefined)).toMatchObject({ outcome: 'restored', targetId: 'made Renamed since' });
    const gone = createTargetFolders(
      into({ mail: aMailbox({ folder: () => graphError('graph.folder-gone') }).mail }, { isOriginal: true }),
    );
    expect(await gone.place(aFolder('Plans'), undefined)).toMatchObject({ outcome: 'restored' });
    const down = createTargetFolders(
      into({ mail: aMailbox({ folder: () => graphError('graph.service-fault') }).mail }, { isOriginal: true }),
    );
    await expect(down.place(aFolder('Plans'), undefined)).rejects.toMatchObject({ code: 'graph.service-fault' });
  });

  it('is the one that somebody else has just made; any other refusal is a fault', async () => {
    const taken = { id: 'theirs', displayName: 'Plans' };
    const raced = createTargetFolders(into({ mail: aMailbox({ taken, refusal: graphError('graph.name-taken') }).mail }));
    expect(await raced.place(aFolder('Plans'), undefined)).toEqual({ outcome: 'skipped', targetId: 'theirs' });
    for (const refusal of [graphError('graph.name-taken'), graphError('graph.service-fault')]) {
      const refused = createTargetFolders(into({ mail: aMailbox({ refusal }).mail }));
      await expect(refused.place(aFolder('Plans'), undefined)).rejects.toBe(refusal);
    }
  });

  it('lies below the folder that was asked for, of which every level is made once', async () => {
    const { mail, made } = aMailbox();
    const target = createTargetFolders(into({ mail }, { folder: 'Again/ /Here' }));
    const area = await target.place(anItem('area', { kind: 'area' }), undefined);
    expect(area).toEqual({ outcome: 'skipped', targetId: 'made Here' });
    await target.place(aFolder('Plans'), area);
    expect(made.map((body) => (body as { readonly displayName: string }).displayName)).toEqual(['Again', 'Here', 'Plans']);
  });
});
