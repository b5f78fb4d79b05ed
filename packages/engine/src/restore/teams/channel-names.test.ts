import { expect, it } from 'vitest';
import { channelEnding, createChannelNames } from './channel-names.ts';

it('channels that come beside others have names of their own, however long those of the originals are', () => {
  const folder = 'Holdfast drill 2026-11-22 11.40 1a2b3c4d';
  const nameOf = createChannelNames(folder);
  const names = ['General', 'Plans for the year that comes', 'Plans for the year that was', 'x'.repeat(50)];
  const made = names.map((name, at) => nameOf({ key: `channel:${at}`, name }));
  expect(new Set(made).size).toBe(names.length);
  for (const [at, name] of made.entries()) {
    expect(name.length).toBeLessThanOrEqual(50);
    expect(name.endsWith(channelEnding(folder))).toBe(true);
    expect(nameOf({ key: `channel:${at}`, name: names[at] ?? '' }), 'also when it is asked again').toBe(name);
  }
  expect(createChannelNames(undefined)({ key: 'channel:0', name: 'x'.repeat(50) })).toBe('x'.repeat(50));
});
