import { expect, it } from 'vitest';
import { aMailbox, anItem, aSegment } from '../../testing/builders.ts';
import { createMemoryCatalog } from '../../testing/memory-catalog.ts';
import { emptyCursorState, encodeCursorState } from '../pipeline/cursor-state.ts';
import type { ItemVersion } from '../ports/item.ts';
import { readCoverage } from './read-coverage.ts';

const { id } = aMailbox('u1');

async function gapsOf(put: readonly ItemVersion[], state = emptyCursorState()): Promise<readonly string[]> {
  const catalog = createMemoryCatalog();
  await catalog.apply(aSegment(id, 1, { put, cursor: encodeCursorState(state) }));
  const lines = await Array.fromAsync(readCoverage(catalog, { id }));
  return lines.map(({ code, kind, path }) => `${kind} ${path} ${code}`).toSorted();
}

const folder = (key: string, parentKey: string | null, changes: Partial<ItemVersion> = {}) =>
  anItem(key, { kind: 'mailFolder', parentKey, ...changes });
const leftOut = (reason: string) => ({ properties: { notProtected: reason } });

it('has nothing to tell of a resource that was never backed up, or of which nothing is missing', async () => {
  expect(await Array.fromAsync(readCoverage(createMemoryCatalog(), { id }))).toEqual([]);
  expect(await gapsOf([folder('Inbox', null), anItem('m', { parentKey: 'Inbox' })])).toEqual([]);
});

it('tells a folder that the job leaves out once, with its path below the area, and nothing of what lies in it', async () => {
  const area = anItem('area:mail', { kind: 'area', name: 'mail' });
  const put = [
    area,
    folder('Inbox', 'area:mail'),
    folder('Old', 'Inbox', leftOut('excluded')),
    folder('Older', 'Old', leftOut('excluded')),
    folder('Junk', 'area:mail', leftOut('copyOfTeams')),
  ];
  expect(await gapsOf(put)).toEqual(['mailFolder Inbox/Old coverage.excluded', 'mailFolder Junk coverage.copy-of-teams']);
});

it('tells what is gone for good with its path, and nothing of what is still looked for', async () => {
  const state = emptyCursorState();
  const missed = { kind: 'message', parentKey: 'Inbox', name: 'Lost' } as const;
  state.unread.set('m', { ...missed, key: 'm', code: 'engine.item-gone', gone: { '': '2026-01-01T00:00:00.000Z' } });
  state.unread.set('n', { ...missed, key: 'n', code: 'engine.item-missing', gone: { '': '2026-01-01T00:00:00.000Z' } });
  expect(await gapsOf([folder('Inbox', null)], state)).toEqual(['message Inbox/Lost engine.item-gone']);
});

it('tells what can never be read as its segment says, and ends where folders go round in a circle', async () => {
  const state = emptyCursorState();
  state.excluded.set('f', { kind: 'file', path: 'Documents/virus.exe', code: 'graph.malware' });
  const lost = folder('Lost', 'nowhere', leftOut('excluded'));
  expect(await gapsOf([lost], state)).toEqual(['file Documents/virus.exe graph.malware', 'mailFolder Lost coverage.excluded']);
  const circle = await gapsOf([folder('A', 'B', leftOut('excluded')), folder('B', 'A')]);
  expect(circle).toHaveLength(1);
  expect(circle[0]?.length).toBeLessThan(1_000);
});
