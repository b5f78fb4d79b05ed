import { describe, expect, it } from 'vitest';
import { anItem } from '../../testing/builders.ts';
import type { Step } from '../pipeline/step.ts';
import type { EnumerateContext } from '../pipeline/workload.ts';
import type { ItemVersion } from '../ports/item.ts';
import { createRemovals } from './removals.ts';

/** What is known, and what an earlier run has left waiting. */
function aRun(known: readonly ItemVersion[], waiting?: readonly (readonly [string, string | null])[]) {
  const context = {
    cursor: () => waiting && JSON.stringify(waiting),
    known: {
      load: async (keys: readonly string[]) => new Map(known.filter(({ key }) => keys.includes(key)).map((item) => [item.key, item])),
      async *descendants(parent: string) {
        for (const { key, parentKey } of known) if (parentKey === parent) yield key;
      },
    },
  } as unknown as EnumerateContext;
  return createRemovals(context, 'scope');
}

const settled = (removals: ReturnType<typeof aRun>, keep?: ReadonlySet<string>): Promise<Step[]> => Array.fromAsync(removals.settle(keep));

describe('what a container has lost', () => {
  it('is removed where it still lies, and stays where it has moved to or is not known', async () => {
    const removals = aRun([anItem('here', { parentKey: 'a' }), anItem('moved', { parentKey: 'b' })]);
    for (const key of ['here', 'moved', 'unknown', 'found']) removals.add(key, 'a');
    removals.found('found');
    removals.found('never lost');
    expect(await settled(removals)).toEqual([
      { step: 'remove', key: 'here' },
      { step: 'cursor', scope: 'scope', value: null },
    ]);
    expect(removals.remember()).toEqual([]);
  });

  it('waits over a crash, is told of once, and is kept for as long as somebody asks for it', async () => {
    const removals = aRun([anItem('old', { parentKey: 'a' })], [['old', 'a']]);
    removals.add('old', 'a');
    expect(removals.remember(), 'nothing is new').toEqual([]);
    removals.add('old', 'b');
    expect(removals.remember()).toEqual([{ step: 'cursor', scope: 'scope', value: JSON.stringify([['old', 'b']]) }]);
    expect(await settled(removals, new Set(['old']))).toEqual([]);
    expect([...removals.waiting.keys()]).toEqual(['old']);
  });

  it('takes a container that is gone altogether with all that is in it, once', async () => {
    const known = [anItem('outer', { kind: 'folder' }), anItem('one', { parentKey: 'outer' }), anItem('two', { parentKey: 'outer' })];
    const removals = aRun(known, [['outer', null]]);
    expect((await settled(removals)).map((step) => ('key' in step ? step.key : step.step))).toEqual(['two', 'one', 'outer', 'cursor']);
  });
});
