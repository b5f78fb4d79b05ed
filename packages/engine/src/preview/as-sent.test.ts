import { expect, test } from 'vitest';
import { anItem } from '../../testing/builders.ts';
import type { Content, ItemVersion } from '../ports/item.ts';
import { asSent } from './as-sent.ts';

const hash = (text: string): string => text.padStart(64, '0');
const content = (role: 'file' | 'version', label: string, text = label): Content =>
  ({ role, label, ref: { sha256: hash(text), sizeBytes: 7 } }) as unknown as Content;

/** A file with versions, the newest first, as a restore point has it; `missing` ones were named by the service and not kept. */
function file(
  versions: readonly (readonly [label: string, at: string])[],
  missing: readonly string[] = [],
  name = 'Offer.docx',
): ItemVersion {
  const kept = versions.filter(([label]) => !missing.includes(label));
  const described = versions.map(([id, lastModifiedDateTime]) => ({ id, lastModifiedDateTime }));
  const contents = kept.map(([label], index) => content(index === 0 ? 'file' : 'version', label));
  return anItem('f', { kind: 'file', name, contents, properties: { read: { versions: described } } });
}

const MAY = [
  ['3.0', '2024-05-20T10:00:00Z'],
  ['2.0', '2024-05-15T10:00:00Z'],
  ['1.0', '2024-05-10T10:00:00Z'],
] as const;

test.each([
  ['2024-05-17T00:00:00Z', '2.0', 'last-change-before'],
  ['2024-05-15T10:00:00Z', '2.0', 'last-change-before'],
  ['2024-05-15T09:59:59Z', '1.0', 'last-change-before'],
  ['2025-01-01T00:00:00Z', '3.0', 'last-change-before'],
  ['2024-05-01T00:00:00Z', '1.0', 'first-kept-after'],
] as const)('A30: what was sent at %s is version %s by the rule %s', (sentAt, label, rule) => {
  expect(asSent([{ point: 4, item: file(MAY) }], sentAt)).toMatchObject({
    label,
    rule,
    tie: null,
    missing: null,
    sha256: hash(label),
    point: 4,
  });
});

test('A30: a version that was taken away is named, and the last one before it is shown in its place', () => {
  const points = [{ point: 4, item: file(MAY, ['2.0']) }];
  expect(asSent(points, '2024-05-17T00:00:00Z')).toMatchObject({ label: '1.0', rule: 'earlier-kept', missing: '2.0' });
  expect(asSent([{ point: 4, item: file(MAY, ['2.0', '1.0']) }], '2024-05-17T00:00:00Z')).toMatchObject({
    label: '3.0',
    rule: 'first-kept-after',
    missing: '2.0',
  });
  // Another restore point has it still.
  expect(asSent([...points, { point: 2, item: file(MAY.slice(1)) }], '2024-05-17T00:00:00Z')).toMatchObject({
    label: '2.0',
    missing: null,
    point: 2,
  });
  expect(asSent([{ point: 1, item: file([]) }], '2024-05-17T00:00:00Z')).toBeUndefined();
  expect(asSent([], '2024-05-17T00:00:00Z')).toBeUndefined();
});

test('A30: of versions of one moment the one with the higher number counts, then that of the later restore point', () => {
  const at = '2024-05-15T10:00:00Z';
  const twins = file([
    ['10.0', at],
    ['9.0', at],
  ]);
  expect(asSent([{ point: 1, item: twins }], '2024-05-17T00:00:00Z')).toMatchObject({ label: '10.0', tie: 'higher-number' });
  const same = (text: string): ItemVersion =>
    anItem('f', { kind: 'file', modifiedAt: at, contents: [{ ...content('file', 'x', text), label: '1.0' }] });
  const points = [
    { point: 7, item: same('late') },
    { point: 3, item: same('early') },
  ];
  expect(asSent(points, '2024-05-17T00:00:00Z')).toMatchObject({ sha256: hash('late'), tie: 'later-point', point: 7 });
});

test('A30: a file that is known by its restore points alone is the one of the last change before sending', () => {
  const at = (point: number, modifiedAt: string) => ({
    point,
    item: anItem('f', {
      kind: 'file',
      name: `v${point}.docx`,
      modifiedAt,
      contents: [{ role: 'file' as const, ref: content('file', '', String(point)).ref }],
    }),
  });
  const points = [at(1, '2024-05-10T00:00:00Z'), at(2, '2024-05-12T00:00:00Z'), at(3, '2024-05-20T00:00:00Z')];
  expect(asSent(points, '2024-05-15T00:00:00Z')).toMatchObject({ point: 2, name: 'v2.docx', sha256: hash('2') });
});
