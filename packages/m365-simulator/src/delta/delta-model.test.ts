import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../values/json.ts';
import { mailWorkload } from '../mail/mail-workload.ts';
import { directoryWorkload } from '../directory/directory-workload.ts';
import { defaultSwitches, type Switches } from '../state/switches.ts';
import { createInProcess, type InProcess } from '../testing/in-process.ts';

const FOLDERS = ['inbox', 'archive', 'sentitems', 'deleteditems'] as const;
const PREFER = { prefer: 'odata.maxpagesize=4, IdType="ImmutableId"' };

/** One thing that happens: somebody changes the mailbox, a client reads one page, the tokens expire. */
type Step =
  | { readonly do: 'deliver' | 'read' | 'delete' | 'purge'; readonly folder: number; readonly pick: number }
  | { readonly do: 'move'; readonly folder: number; readonly pick: number; readonly to: number }
  | { readonly do: 'page'; readonly folder: number }
  | { readonly do: 'expire' };

const folder = fc.nat(FOLDERS.length - 1);
const pick = fc.nat(1000);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant('page' as const), folder }) },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constantFrom('deliver' as const, 'read' as const, 'delete' as const, 'purge' as const), folder, pick }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('move' as const), folder, pick, to: folder }) },
  { weight: 1, arbitrary: fc.constant({ do: 'expire' as const }) },
);
const switches: fc.Arbitrary<Partial<Switches>> = fc.record({
  deltaEmptyPages: fc.constantFrom(0, 0.4),
  deltaRepeats: fc.constantFrom(0, 0.3),
  deltaReplays: fc.constantFrom(0, 0.3),
  deltaRandomOrder: fc.boolean(),
  deltaHoldBack: fc.constantFrom(0, 0.5),
});

/** What a careful client knows of one folder. */
interface View {
  items: Map<string, boolean>;
  /** What it saw in the round that is under way; replaces `items` when a full enumeration ends. */
  fresh: Map<string, boolean> | undefined;
  next: string | undefined;
}

async function readPage(graph: InProcess, user: string, name: string, view: View): Promise<boolean> {
  const first = `/users/${user}/mailFolders/${name}/messages/delta?$select=isRead`;
  if (view.next === undefined) view.fresh = new Map();
  const page = await graph.get(view.next ?? first, PREFER);
  if (page.status === 410) {
    view.next = undefined;
    return false;
  }
  expect(page.status).toBe(200);
  const target = view.fresh ?? view.items;
  for (const entry of page.json['value'] as JsonObject[]) {
    if (entry['@removed']) target.delete(entry['id'] as string);
    else target.set(entry['id'] as string, entry['isRead'] === true);
  }
  const deltaLink = page.json['@odata.deltaLink'];
  view.next = (deltaLink ?? page.json['@odata.nextLink']) as string;
  if (deltaLink === undefined) return false;
  if (view.fresh) view.items = view.fresh;
  view.fresh = undefined;
  return true;
}

async function storeOf(graph: InProcess, user: string, name: string): Promise<Map<string, boolean>> {
  const lines = await graph.truth('mail', user);
  return new Map(lines.filter((line) => line.metadata['folder'] === name).map((line) => [line.id, line.metadata['isRead'] === true]));
}

async function act(graph: InProcess, user: string, doing: Exclude<Step, { do: 'page' | 'expire' }>): Promise<void> {
  const name = FOLDERS[doing.folder] ?? 'inbox';
  if (doing.do === 'deliver') {
    graph.act('mail.deliver', { user, folder: name });
    return;
  }
  const ids = [...(await storeOf(graph, user, name)).keys()];
  const id = ids[doing.pick % Math.max(1, ids.length)];
  if (id === undefined) return;
  if (doing.do === 'move') graph.act('mail.move', { user, id, folder: FOLDERS[doing.to] ?? 'inbox' });
  else graph.act(`mail.${doing.do}`, { user, id, ...(doing.do === 'read' ? { isRead: doing.pick % 2 === 0 } : {}) });
}

async function expectSame(graph: InProcess, user: string, views: readonly View[]): Promise<void> {
  graph.set(defaultSwitches);
  for (const [index, name] of FOLDERS.entries()) {
    const view = views[index] as View;
    // The round that is under way, and one that began after the last change.
    for (let rounds = 0; rounds < 2;) if (await readPage(graph, user, name, view)) rounds += 1;
    expect(view.items).toEqual(await storeOf(graph, user, name));
  }
}

async function play(knobs: Partial<Switches>, steps: readonly Step[]): Promise<void> {
  const graph = createInProcess({ workloads: [directoryWorkload, mailWorkload], recipe: 'tiny' });
  const user = graph.tenant.directory.users()[0]?.id ?? '';
  const views: View[] = FOLDERS.map(() => ({ items: new Map(), fresh: undefined, next: undefined }));
  graph.set(knobs);
  for (const doing of steps) {
    if (doing.do === 'page') await readPage(graph, user, FOLDERS[doing.folder] ?? 'inbox', views[doing.folder] as View);
    else if (doing.do === 'expire') graph.expireDeltaTokens();
    else await act(graph, user, doing);
  }
  await expectSame(graph, user, views);
  graph.requireValid();
}

describe('delta against a model', () => {
  it('loses nothing, whatever changes between two pages and however unkind the tenant is', async () => {
    await fc.assert(fc.asyncProperty(switches, fc.array(step, { maxLength: 40 }), play), { numRuns: 40 });
  });

  it('gives a page of a used nextLink again', async () => {
    const graph = createInProcess({ workloads: [directoryWorkload, mailWorkload], recipe: 'tiny' });
    const user = graph.tenant.directory.users()[0]?.id ?? '';
    const first = await graph.get(`/users/${user}/mailFolders/inbox/messages/delta?$select=subject`, PREFER);
    const next = first.json['@odata.nextLink'] as string;
    expect((await graph.get(next, PREFER)).json).toEqual((await graph.get(next, PREFER)).json);
  });

  it('refuses a token of another folder', async () => {
    const graph = createInProcess({ workloads: [directoryWorkload, mailWorkload], recipe: 'tiny' });
    const user = graph.tenant.directory.users()[0]?.id ?? '';
    const first = await graph.get(`/users/${user}/mailFolders/inbox/messages/delta`, PREFER);
    const next = (first.json['@odata.nextLink'] as string).replace('/inbox/', '/archive/');
    const answer = await graph.get(next, PREFER);
    expect(answer.status).toBe(400);
    expect(answer.json).toMatchObject({ error: { code: 'SyncStateInvalid' } });
  });

  it('answers 410 to a token of the directory that is older than seven days', async () => {
    const graph = createInProcess({ workloads: [directoryWorkload, mailWorkload], recipe: 'tiny' });
    const { deltaLink } = await graph.all('/users/delta');
    graph.clock.advance(6 * 86_400_000);
    expect((await graph.get(deltaLink ?? '')).status).toBe(200);
    graph.clock.advance(2 * 86_400_000);
    expect((await graph.get(deltaLink ?? '')).status).toBe(410);
  });
});
