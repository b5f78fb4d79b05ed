import { graphError, type DriveEntry, type GraphClient } from '@holdfast/m365';
import { describe, expect, it } from 'vitest';
import { anItem } from '../../../testing/builders.ts';
import type { ContentSink } from '../../pipeline/step.ts';
import type { Content } from '../../ports/item.ts';
import { driveDraft, driveIdOf, driveKeys, hasSharing, isMalware, kindOf } from './drive-item.ts';

const entryOf = (entry: object) => entry as DriveEntry;

/** A drive whose files have these versions, newest first. */
function aDrive(versions: readonly string[] = [], broken: readonly string[] = []) {
  const asked: unknown[] = [];
  const drives = {
    userDrive: async () => ({ id: 'b!of-the-person' }),
    content: (ref: object) => {
      asked.push(ref);
      return { bytes: [] };
    },
    async *versions() {
      for (const id of versions) yield { id, size: 1, content: null };
    },
    versionContent: ({ versionId }: { readonly versionId: string }) => {
      if (broken.includes(versionId)) throw graphError('graph.item-gone');
      return { bytes: [] };
    },
  };
  const graph = { drives } as unknown as GraphClient;
  const sink = {
    store: async (role: string, _bytes: unknown, { label, mediaType }: { readonly label?: string; readonly mediaType?: string }) => ({
      role,
      ref: { sizeBytes: 7 },
      ...(label === undefined ? {} : { label }),
      ...(mediaType === undefined ? {} : { mediaType }),
    }),
  } as unknown as ContentSink;
  const draftOf = (entry: object, keep = 10, previous?: ReturnType<typeof anItem>) =>
    driveDraft({
      graph,
      keys: driveKeys('b!1'),
      entry: entryOf({ id: 'f', ...entry }),
      parentKey: 'library:b!1',
      kind: kindOf(entryOf(entry)) ?? 'file',
      permissions: undefined,
      notProtected: undefined,
      versions: keep,
      previous,
    });
  return { asked, draftOf, read: async (...given: Parameters<typeof draftOf>) => draftOf(...given).read?.(sink), graph };
}

it('a drive is named by its own id, or by the person whose it is', async () => {
  const { graph } = aDrive();
  expect(await driveIdOf(graph, { graphId: 'b!own' })).toBe('b!own');
  expect(await driveIdOf(graph, { graphId: 'person' })).toBe('b!of-the-person');
});

it.each([
  [{ root: {} }, undefined],
  [{ remoteItem: {}, folder: {} }, 'shortcut'],
  [{ package: {}, folder: {} }, 'package'],
  [{ folder: {} }, 'folder'],
  [{ file: {} }, 'file'],
])('is told by what the service says of it: %j', (entry, kind) => {
  expect(kindOf(entryOf(entry))).toBe(kind);
});

it('is infected, or shared, when the service says so', () => {
  expect([isMalware(entryOf({})), isMalware(entryOf({ malware: null })), isMalware(entryOf({ malware: {} }))]).toEqual([
    false,
    false,
    true,
  ]);
  expect([hasSharing(entryOf({ shared: null })), hasSharing(entryOf({ shared: {} }))]).toEqual([false, true]);
  expect(hasSharing(entryOf({ '@microsoft.graph.sharedChanged': 'True' }))).toBe(true);
});

describe('whether a file is read again', () => {
  const { draftOf } = aDrive();
  const tagOf = (entry: object) => draftOf({ file: {}, size: 1, eTag: '"a,1"', cTag: '"c"', ...entry }).contentTag;

  it('is told by its hash, and by its tag where it has none', () => {
    const hashes = (quickXorHash: string | null) => ({ file: { hashes: { quickXorHash } } });
    expect(tagOf({ ...hashes('x'), eTag: '"a,2"' })).toBe(tagOf(hashes('x')));
    expect(tagOf(hashes('y'))).not.toBe(tagOf(hashes('x')));
    expect(tagOf({ ...hashes(null), eTag: '"a,2"' })).not.toBe(tagOf(hashes(null)));
    expect(tagOf({ file: { hashes: null } })).toBe(tagOf({}));
    expect(tagOf({ size: undefined, eTag: undefined, cTag: undefined })).not.toBe(tagOf({}));
  });

  it('is no question of a folder', () => {
    const folder = draftOf({ folder: {}, name: undefined });
    expect(folder).toMatchObject({ kind: 'folder', contentTag: '', name: '' });
    expect(folder).not.toHaveProperty('read');
    expect(folder).not.toHaveProperty('createdAt');
  });
});

describe('a file that is read', () => {
  const file = { file: { mimeType: 'text/plain' }, size: 4, eTag: '"a,3"', '@microsoft.graph.downloadUrl': 'https://x' };

  it('comes by the address and of the length that were listed, without versions when it never had another', async () => {
    const { read, asked } = aDrive(['1.0']);
    expect(await read({ ...file, eTag: '"a,1"' })).toEqual({
      contents: [{ role: 'file', ref: { sizeBytes: 7 }, mediaType: 'text/plain' }],
      sizeBytes: 7,
    });
    expect(asked).toEqual([{ driveId: 'b!1', itemId: 'f', downloadUrl: 'https://x', sizeBytes: 4 }]);
    expect(await aDrive(['1.0']).read({ file: {} }, 0)).toEqual({ contents: [{ role: 'file', ref: { sizeBytes: 7 } }], sizeBytes: 7 });
  });

  it('has as many earlier versions as are to be kept; those that are stored are not read again, those that are lost are named', async () => {
    const known = { role: 'file', label: '3.0', ref: { sizeBytes: 3 } } as unknown as Content;
    const previous = anItem('f', { contents: [known, { role: 'photo', label: '2.0' } as unknown as Content] });
    const { read } = aDrive(['4.0', '3.0', '2.0', '1.0', '0.1'], ['2.0']);
    const result = await read(file, 3, previous);
    expect(result?.contents).toMatchObject([
      { role: 'file', label: '4.0' },
      { role: 'version', label: '3.0', ref: { sizeBytes: 3 } },
      { role: 'version', label: '1.0' },
    ]);
    expect(result?.defects).toEqual([{ code: 'engine.part-missing', part: 'version:2.0', tried: ['file', 'version 2.0'] }]);
    expect((await aDrive().read(file))?.contents).toEqual([{ role: 'file', ref: { sizeBytes: 7 }, mediaType: 'text/plain' }]);
  });

  it('lists the versions that are not stored, too: they take room in Microsoft 365', async () => {
    const result = await aDrive(['4.0', '3.0', '2.0', '1.0']).read(file, 1);
    expect(result?.contents.map(({ label }) => label)).toEqual(['4.0', '3.0']);
    expect(result?.properties).toMatchObject({ versions: [{ id: '4.0' }, { id: '3.0' }, { id: '2.0', size: 1 }, { id: '1.0', size: 1 }] });
  });
});
