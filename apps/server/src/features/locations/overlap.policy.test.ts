import { expect, test } from 'vitest';
import type { LocationTarget } from './location-target.ts';
import { overlap, placeOf, targetsAbove } from './overlap.policy.ts';

const folder = (path: string): LocationTarget => ({ kind: 'filesystem', path });
const bucket = (prefix: string, endpoint = '', name = 'backups'): LocationTarget => ({
  kind: 's3',
  endpoint,
  region: 'eu-central-1',
  bucket: name,
  prefix,
  forcePathStyle: false,
});

test.each([
  ['the same folder', folder('/vaults/a'), folder('/vaults/a/'), true],
  ['a folder inside', folder('/vaults/a'), folder('/vaults/a/b/c'), true],
  ['a folder beside, whose name begins alike', folder('/vaults/a'), folder('/vaults/ab'), false],
  ['the same prefix', bucket('v'), bucket('v/'), true],
  ['a prefix inside', bucket('v'), bucket('v/one'), true],
  ['a prefix beside, whose name begins alike', bucket('v'), bucket('vault'), false],
  ['all of a bucket', bucket(''), bucket('v/one'), true],
  ['the same bucket at two addresses of Amazon', bucket('v', 'https://s3.eu-central-1.amazonaws.com'), bucket('v'), true],
  ['buckets of one name at two servers', bucket('v', 'https://one.example'), bucket('v', 'https://two.example'), false],
  ['another bucket', bucket('v'), bucket('v', '', 'others'), false],
  ['a bucket and a folder', bucket('v'), folder('/v'), false],
] as const)('%s: told apart from what only looks like it', (_, one, other, expected) => {
  expect(overlap(placeOf(one), placeOf(other))).toBe(expected);
  expect(overlap(placeOf(other), placeOf(one))).toBe(expected);
});

test('what lies above is named from near to far', () => {
  expect(targetsAbove(folder('/a/b/c'))).toEqual([folder('/a/b'), folder('/a'), folder('/')]);
  expect(targetsAbove(bucket('a/b'))).toEqual([bucket('a'), bucket('')]);
});
