import { sha256Hex } from '@holdfast/foundation/bytes';
import { silentLogger } from '@holdfast/foundation/logger';
import { systemClock } from '@holdfast/foundation/clock';
import type { DriveEntry } from '@holdfast/m365';
import { describe, expect, it } from 'vitest';
import { anItem } from '../../../testing/builders.ts';
import type { Content, ItemVersion } from '../../ports/item.ts';
import { createBeginnings } from '../beginnings.ts';
import type { CollisionPolicy, EarlierWork } from '../request.ts';
import type { PlacedContainer, RestoreContext } from '../restorer.ts';
import { createFileRestorer } from './files.ts';

const PARENT: PlacedContainer = { outcome: 'skipped', targetId: 'drive folder' };

interface Given {
  readonly existing?: object;
  /** What the service says of what it was given, and what it gives back of it. */
  readonly stored?: object;
  readonly bytes?: string;
  readonly collisions?: CollisionPolicy;
  /** A worker that died had begun the file and made this of it. */
  readonly left?: string;
}

function aDrive({ existing, stored = {}, bytes = 'Plan', collisions = 'replace', left }: Given) {
  const asked: unknown[] = [];
  const entry = { id: 'made', name: 'Plan.txt', size: 4, ...stored } as unknown as DriveEntry;
  async function* content() {
    yield Buffer.from(bytes);
  }
  const drives = {
    itemByPath: async () => (existing ?? (left === undefined ? undefined : { id: left, name: 'Plan.txt' })) as DriveEntry | undefined,
    item: async () => ({ ...entry, id: left }),
    async *children() {
      yield { id: 'numbered', name: 'Plan 1.txt' };
    },
    upload: async (_drive: object, what: { readonly target: object; readonly conflict: string; readonly fileSystemInfo?: object }) => {
      asked.push([what.target, what.conflict, what.fileSystemInfo]);
      return entry;
    },
    content: () => ({ bytes: content() }),
  };
  const report = { begin: async () => {}, uploading: async () => {}, tell: async () => {} };
  const earlier = {
    begun: new Map([['file', []]]),
    uploads: new Map(),
    told: async () => new Map(),
    targets: async () => new Set<string>(),
  } as unknown as EarlierWork;
  const context = {
    request: { collisions, target: { resource: {} } },
    graph: { drives },
    clock: systemClock,
    logger: silentLogger,
    beginnings: createBeginnings(report, left === undefined ? undefined : earlier),
    isOriginal: false,
  } as unknown as RestoreContext;
  return { asked, restorer: createFileRestorer(context) };
}

function aFile(changes: Partial<ItemVersion> = {}): ItemVersion {
  const content = { role: 'file', ref: { sizeBytes: 4, sha256: sha256Hex(Buffer.from('Plan')) } } as unknown as Content;
  const properties = { hashes: { quickXorHash: 'same' } };
  return anItem('file', {
    kind: 'file',
    name: 'Plan.txt',
    contents: [content],
    properties,
    modifiedAt: '2026-03-01T08:00:00Z',
    ...changes,
  });
}

const restored = (given: Given, item = aFile()) => aDrive(given).restorer.restore(item, PARENT);
const AUTHORS = ['createdBy', 'lastModifiedBy'];

describe('a file that meets one of its name', () => {
  const existing = { id: 'there', name: 'Plan.txt', file: { hashes: { quickXorHash: 'other' } } };

  it('stays out when it is the same, or when what is there is newer', async () => {
    const same = { ...existing, file: { hashes: { quickXorHash: 'same' } } };
    expect(await restored({ existing: same })).toMatchObject({ outcome: 'skipped', code: 'restore.identical' });
    for (const lastModified of [
      { lastModifiedDateTime: '2026-04-01T08:00:00Z' },
      { fileSystemInfo: { lastModifiedDateTime: '2026-04-01T08:00:00Z' } },
    ])
      expect(await restored({ existing: { ...existing, ...lastModified }, collisions: 'newerWins' })).toMatchObject({
        outcome: 'skipped',
        code: 'restore.existing-newer',
      });
    expect(await restored({ existing, collisions: 'skip' })).toMatchObject({ outcome: 'skipped', targetId: 'there' });
  });

  it('becomes a version of it, or another file beside it', async () => {
    for (const older of [{}, { lastModifiedDateTime: '2026-02-01T08:00:00Z' }]) {
      const { restorer, asked } = aDrive({ existing: { ...existing, ...older }, collisions: 'newerWins' });
      expect(await restorer.restore(aFile({ createdAt: '2026-01-01T00:00:00Z' }), PARENT)).toMatchObject({ outcome: 'replaced' });
      const times = { createdDateTime: '2026-01-01T00:00:00Z', lastModifiedDateTime: '2026-03-01T08:00:00Z' };
      expect(asked).toEqual([[{ itemId: 'there' }, 'replace', times]]);
    }
    const beside = aDrive({ existing, stored: { name: 'Plan 2.txt' }, collisions: 'keepBoth' });
    expect(await beside.restorer.restore(aFile(), PARENT)).toMatchObject({ outcome: 'renamed' });
    expect(beside.asked).toEqual([[{ parentId: 'folder', name: 'Plan.txt' }, 'rename', undefined]]);
  });
});

describe('what the service made of a file', () => {
  it.each([
    ['as it was, by its hash', { file: { hashes: { quickXorHash: 'same' } } }, 'Plan', []],
    ['as it was, though it names no hash', { file: {} }, 'Plan', []],
    ['as it was, though the hash it names is wrong', { file: { hashes: { quickXorHash: 'stale' } } }, 'Plan', []],
    ['something else of the same length', { file: { hashes: { quickXorHash: 'other' } } }, 'Plum', ['content']],
    ['something longer', { size: 5 }, 'Plan', ['content']],
  ] as const)('is %s', async (_what, stored, bytes, differences) => {
    expect(await restored({ stored, bytes })).toEqual({
      outcome: 'restored',
      targetId: 'made',
      bytes: 10,
      differences: [...differences, ...AUTHORS],
    });
  });

  it('is an Office file that it has rewritten', async () => {
    expect(await restored({ stored: { name: 'Plan.docx', size: 5 } }, aFile({ name: 'Plan.docx' }))).toMatchObject({
      differences: ['officeRewritten', ...AUTHORS],
    });
  });
});

it('goes on with what a worker that died has left: whole, it is left as it is; half, it is written again', async () => {
  const whole = aDrive({ left: 'left', stored: { file: { hashes: { quickXorHash: 'same' } } } });
  expect(await whole.restorer.restore(aFile(), PARENT)).toMatchObject({ outcome: 'restored', targetId: 'left' });
  expect(whole.asked).toEqual([]);
  const half = aDrive({ left: 'left', stored: { name: 'Plan 1.txt', file: { hashes: { quickXorHash: 'half' } } } });
  expect(await half.restorer.restore(aFile(), PARENT)).toMatchObject({ outcome: 'renamed', targetId: 'left' });
  expect(half.asked).toEqual([[{ itemId: 'left' }, 'replace', undefined]]);
  const named = aDrive({ left: 'left', stored: { file: { hashes: { quickXorHash: 'same' } } } });
  const { differences } = await named.restorer.restore(aFile({ name: 'Plan:1.txt' }), PARENT);
  expect(differences).toContain('name Plan_1.txt');
});

it('is not made when nothing of it is stored, and a shortcut never is', async () => {
  await expect(restored({}, aFile({ contents: [] }))).rejects.toMatchObject({ code: 'restore.unreadable' });
  expect(await restored({}, aFile({ kind: 'shortcut' }))).toEqual({ outcome: 'notPossible', code: 'restore.shortcut' });
});
