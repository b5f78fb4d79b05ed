import { graphError, type GraphClient } from '@holdfast/m365';
import { describe, expect, it } from 'vitest';
import { aMailbox, anItem } from '../../testing/builders.ts';
import type { Unread } from '../pipeline/cursor-state.ts';
import type { ContentSink, Draft, Step } from '../pipeline/step.ts';
import type { EnumerateContext } from '../pipeline/workload.ts';
import type { ItemVersion } from '../ports/item.ts';
import { enumerateCalendars } from './exchange/calendars.ts';
import { enumerateContacts } from './exchange/contacts.ts';
import { enumerateTasks } from './exchange/tasks.ts';
import { createSiteWorkload } from './sites/site-workload.ts';

const signal = new AbortController().signal;
const sink = {
  store: async (role: string, _bytes: unknown, more: object) => ({ role, ...more }),
} as unknown as ContentSink;

interface Before {
  readonly known?: readonly ItemVersion[];
  readonly unread?: readonly Unread[];
  readonly cursors?: Readonly<Record<string, string>>;
}

/** What a run knows when it begins: nothing, unless something is given. */
function aRun({ known = [], unread = [], cursors = {} }: Before = {}): EnumerateContext {
  return {
    resource: aMailbox('somebody'),
    signal,
    cursor: (scope: string) => cursors[scope],
    scopes: () => [],
    excluded: new Map(),
    unread: new Map(unread.map((one) => [one.key, one])),
    known: {
      load: async (keys: readonly string[]) => new Map(known.filter(({ key }) => keys.includes(key)).map((item) => [item.key, item])),
      async *items({ parentKey, kinds }: { readonly parentKey?: string | null; readonly kinds?: readonly string[] }) {
        for (const item of known) if (item.parentKey === parentKey && kinds?.includes(item.kind)) yield item;
      },
      async *descendants() {},
    },
  } as unknown as EnumerateContext;
}

/** The steps of an enumeration, and what reading gave of each item. */
async function taken(steps: AsyncIterable<Step>) {
  const all: Step[] = [];
  const drafts = new Map<string, Draft>();
  const read = new Map<string, unknown>();
  for await (const step of steps) {
    all.push(step);
    if (step.step !== 'put') continue;
    drafts.set(step.draft.key, step.draft);
    if (step.draft.read) read.set(step.draft.key, await step.draft.read(sink));
  }
  return { all, drafts, read };
}

const empty = async function* (): AsyncGenerator<never> {};

/** A delta that names these once and has no cursor to go on from. */
function delta(...ids: readonly string[]) {
  return async function* () {
    yield { kind: 'page', full: true, last: true, entries: ids.map((id) => ({ kind: 'present', id, item: { id } })) };
  };
}

function list(...entries: readonly object[]) {
  return async function* () {
    yield* entries;
  };
}

describe('entries of which Microsoft 365 tells the id alone', () => {
  it('are contacts in folders without a name, each read by what it says when it has no change key', async () => {
    const folders = [[{ id: 'folder' }], []];
    const contacts = {
      contactFolders: () => list(...(folders.shift() ?? []))(),
      defaultContactFolderId: async () => undefined,
      contactDelta: delta('c'),
      contactPhoto: async () => undefined,
    };
    const { drafts, all } = await taken(enumerateContacts(aRun(), { exchange: { contacts } } as unknown as GraphClient));
    expect(drafts.get('c')).toMatchObject({ name: '', parentKey: 'folder', contentTag: expect.stringMatching(/./u) as string });
    expect(drafts.get('c')).not.toHaveProperty('createdAt');
    expect(drafts.get('folder')).toMatchObject({ name: '', kind: 'contactFolder' });
    expect(all.some((step) => step.step === 'failed')).toBe(false);
  });

  it('are calendars and events with attachments; every attachment is stored or named', async () => {
    const calendar = {
      calendars: list({ id: 'cal' }),
      events: list({ id: 'e' }),
      event: async () => ({ id: 'e', hasAttachments: true }),
      eventAttachments: list(
        { id: 'file', contentBytes: '' },
        { id: 'item' },
        { id: 'link', '@odata.type': '#microsoft.graph.referenceAttachment' },
        { id: 'gone', name: 'Gone' },
      ),
      eventAttachmentContent: ({ attachmentId }: { readonly attachmentId: string }) => {
        if (attachmentId === 'gone') throw graphError('graph.item-gone');
        return { bytes: [] };
      },
    };
    const { drafts, read } = await taken(enumerateCalendars(aRun(), { exchange: { calendar } } as unknown as GraphClient));
    expect(drafts.get('cal')).toMatchObject({ name: '' });
    expect(drafts.get('e')).toMatchObject({ contentTag: '' });
    expect(read.get('e')).toMatchObject({
      name: '',
      contents: [
        { role: 'export' },
        { role: 'attachment', label: 'file', mediaType: 'application/octet-stream' },
        { role: 'part', label: 'file' },
        { role: 'attachment', label: 'item' },
        { role: 'part', label: 'item' },
        { role: 'part', label: 'link' },
        { role: 'part', label: 'Gone' },
      ],
      defects: [{ code: 'graph.item-gone', tried: ['attachment Gone'] }],
    });
  });

  it('are task lists and tasks; a fault of the whole resource at a file is none of the file', async () => {
    let fault: Error = graphError('graph.service-fault');
    const todo = {
      lists: list({ id: 'list' }, { id: 'flagged', wellknownListName: 'flaggedEmails' }),
      tasks: list({ id: 't', hasAttachments: true }),
      taskAttachments: list({ id: 'a' }),
      taskAttachmentContent: () => {
        throw fault;
      },
    };
    const run = () => taken(enumerateTasks(aRun(), { exchange: { todo } } as unknown as GraphClient));
    const { drafts, read } = await run();
    expect([...drafts.keys()]).toEqual(['list', 't']);
    expect(drafts.get('t')).toMatchObject({ name: '' });
    expect(read.get('t')).toMatchObject({ defects: [{ code: 'graph.service-fault', tried: ['attachment a'] }] });
    fault = graphError('graph.access-withdrawn');
    await expect(run()).rejects.toMatchObject({ code: 'graph.access-withdrawn' });
  });
});

describe('a container whose items can not be listed', () => {
  const unread: Unread = { key: 't', kind: 'task', parentKey: 'list', name: 'Missed', code: 'graph.service-fault' };
  const todo = (tasks: () => AsyncIterable<object>) =>
    ({ exchange: { todo: { lists: list({ id: 'list' }), tasks } } }) as unknown as GraphClient;

  it('keeps what is missed of it missed; a list without it says that it is gone', async () => {
    const broken = await taken(enumerateTasks(aRun({ unread: [unread] }), todo(throwing(graphError('graph.service-fault')))));
    expect(broken.all.filter(({ step }) => step !== 'put')).toMatchObject([{ step: 'failed', failure: { code: 'graph.service-fault' } }]);
    const whole = await taken(enumerateTasks(aRun({ unread: [unread] }), todo(empty)));
    expect(whole.all).toContainEqual({ step: 'resolved', key: 't' });
  });

  it('is missed no longer when it is not there any more', async () => {
    const lost: Unread = { ...unread, key: 'unread:area:tasks:old', kind: 'taskList' };
    const { all } = await taken(enumerateTasks(aRun({ unread: [lost] }), todo(empty)));
    expect(all.filter(({ step }) => step === 'resolved')).toContainEqual({ step: 'resolved', key: lost.key });
  });
});

describe('a site', () => {
  /** A site of one list and one page, which tell nothing of themselves. */
  function aSite(changes: object = {}): GraphClient {
    const sites = {
      site: async () => ({ id: 's' }),
      lists: list({ id: 'l' }),
      list: async () => ({ id: 'l' }),
      listContentTypes: empty,
      itemDelta: delta('1'),
      itemVersions: list({ id: '1.0' }),
      pages: list({ id: 'p' }),
      page: async () => ({ id: 'p' }),
      ...changes,
    };
    return { sites, drives: { siteDrives: empty } } as unknown as GraphClient;
  }

  const steps = (graph: GraphClient, before?: Before) => taken(createSiteWorkload(graph).enumerate(aRun(before)));

  it('of which nothing is told but ids is there with all that is in it', async () => {
    const { drafts, read } = await steps(aSite());
    expect(drafts.get('site:s')).toMatchObject({ name: '' });
    expect(drafts.get('list:l')).toMatchObject({ name: '' });
    expect(drafts.get('list:l:1')).toMatchObject({ name: '1', contentTag: '' });
    expect(drafts.get('page:p')).toMatchObject({ name: '', contentTag: '' });
    expect(read.get('list:l:1'), 'one version is the present one').toMatchObject({ contents: [{ role: 'export' }] });
  });

  it('names its pages and lists by what it has of a name', async () => {
    const named = aSite({
      site: async () => ({ id: 's', name: 'home' }),
      lists: list({ id: 'l', name: 'Cases', list: {} }),
      pages: list({ id: 'p', title: 'News', lastModifiedDateTime: '2026-01-01T00:00:00Z' }),
    });
    const { drafts } = await steps(named);
    expect(['site:s', 'list:l', 'page:p'].map((key) => drafts.get(key)?.name)).toEqual(['home', 'Cases', 'News']);
    expect(drafts.get('page:p')?.contentTag).toBe('2026-01-01T00:00:00Z');
  });

  it('keeps the columns of content types where a list has its own, and asks no further where it has none', async () => {
    const own = { id: '0x0100A', name: 'Order', isBuiltIn: false };
    const contentTypes = list({ ...own, columns: [{ id: 'c', name: 'Effort', text: {} }] }, { id: '0x0100B', name: 'Item' });
    const graph = aSite({ list: async () => ({ id: 'l', contentTypes: [own] }), listContentTypes: contentTypes });
    expect((await steps(graph)).drafts.get('list:l')?.properties['contentTypes']).toEqual([
      { ...own, columns: [{ id: 'c', name: 'Effort' }] },
      { id: '0x0100B', name: 'Item', columns: [] },
    ]);
    const builtIn = [{ id: '0x01', isBuiltIn: true }];
    const plain = aSite({
      list: async () => ({ id: 'l', contentTypes: builtIn }),
      listContentTypes: () => {
        throw new Error('Nobody needs to ask.');
      },
    });
    expect((await steps(plain)).drafts.get('list:l')?.properties['contentTypes']).toEqual(builtIn);
  });

  it('looks for rows that it missed one by one; with their list they are gone', async () => {
    const missed = (key: string): Unread => ({ key, kind: 'listItem', parentKey: 'list:l', name: '', code: 'graph.service-fault' });
    const item = async ({ itemId }: { readonly itemId: string }) => {
      if (itemId === '9') throw graphError('graph.service-fault');
      if (itemId === '8') throw graphError('graph.item-gone');
      return { id: itemId, fields: { Title: 'Found' } };
    };
    const unread = ['list:l:7', 'list:l:8', 'list:l:9', 'list:lost:1'].map(missed);
    const { all, drafts } = await steps(aSite({ item }), { unread });
    expect(drafts.get('list:l:7')).toMatchObject({ name: 'Found' });
    expect(all).toContainEqual({ step: 'resolved', key: 'list:l:8' });
    expect(all).toContainEqual({ step: 'resolved', key: 'list:lost:1' });
    expect(all).toContainEqual({
      step: 'failed',
      failure: expect.objectContaining({ key: 'list:l:9', code: 'graph.service-fault' }) as object,
    });
    const withdrawn = aSite({
      item: async () => {
        throw graphError('graph.access-withdrawn');
      },
    });
    await expect(steps(withdrawn, { unread })).rejects.toMatchObject({ code: 'graph.access-withdrawn' });
  });

  it('loses libraries and their missed files only when they are not listed any more', async () => {
    const known = [anItem('library:gone', { kind: 'library', parentKey: 'site:s' })];
    const unread: Unread[] = [{ key: 'gone:file', kind: 'file', parentKey: null, name: 'Plan', code: 'graph.service-fault' }];
    const { all } = await steps(aSite(), { known, unread });
    expect(all).toContainEqual({ step: 'remove', key: 'library:gone' });
    expect(all).toContainEqual({ step: 'resolved', key: 'gone:file' });
    const drives = { siteDrives: throwing(graphError('graph.service-fault')) };
    const { all: faulty } = await steps({ ...aSite(), drives } as unknown as GraphClient, { known, unread });
    expect(faulty.some(({ step }) => step === 'remove')).toBe(false);
    expect(faulty).toContainEqual({ step: 'failed', failure: expect.objectContaining({ key: 'unread:libraries' }) as object });
  });
});

function throwing(error: Error) {
  const next = async (): Promise<never> => {
    throw error;
  };
  return () => ({ [Symbol.asyncIterator]: () => ({ next }) });
}
