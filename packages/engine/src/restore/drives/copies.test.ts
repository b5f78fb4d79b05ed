import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answered } from '../../../testing/answered.ts';
import { answeredFile, answeredFolder, FILE_TOLD_AS, type DriveItemPlace } from '../../../testing/answered-drive.ts';
import { compareCopies } from '../../../testing/compare-copies.ts';
import { createRig, type Rig } from '../../../testing/rig.ts';
import type { RestoreLine } from '../request.ts';
import { splitPlace } from './place.ts';

interface RestoredDrive {
  readonly driveId: string;
  readonly lines: readonly RestoreLine[];
}

/** Shares what is in a drive in every way that there is, and describes it. */
async function shareAll(rig: Rig, driveId: string, people: readonly string[]): Promise<void> {
  const { drives } = rig.graph;
  const recipients = people.map((objectId) => ({ objectId }));
  const until = { expirationDateTime: '2030-01-01T00:00:00Z' };
  const ways: readonly ((place: DriveItemPlace) => Promise<unknown>)[] = [
    (place) => drives.createLink(place, { type: 'view', scope: 'users', recipients }),
    (place) => drives.createLink(place, { type: 'edit', scope: 'users', recipients: recipients.slice(0, 1), ...until }),
    (place) => drives.createLink(place, { type: 'view', scope: 'anonymous', ...until }),
    (place) => drives.createLink(place, { type: 'edit', scope: 'organization' }),
    (place) => drives.invite(place, { recipients: [{ email: 'guest@example.com' }, ...recipients], roles: ['write'] }),
    (place) => drives.updateItem(place, { description: 'Read before the meeting' }),
  ];
  const items = (await rig.truth('drives', driveId)).filter(({ kind }) => kind === 'file' || kind === 'folder');
  for (const [index, { id: itemId }] of items.entries()) {
    for (const way of [ways[index % ways.length], ways[(index + 1) % ways.length]]) await way?.({ driveId, itemId });
  }
}

describe('the copy of a file or folder says what the original says, or the report names the property', () => {
  let rig: Rig;
  const restored: RestoredDrive[] = [];

  beforeAll(async () => {
    rig = await createRig({ recipes: ['tiny'] });
    const people: string[] = [];
    for await (const { id } of rig.graph.directory.users()) people.push(id);
    for (const userId of people.slice(0, 3)) {
      const driveId = (await rig.graph.drives.userDrive({ userId })).id;
      await shareAll(rig, driveId, people.filter((id) => id !== userId).slice(0, 2));
      const drive = rig.resource('drive', driveId);
      await rig.backup(drive);
      const target = { resource: drive, folder: 'Restored' };
      const { lines } = await rig.restore({
        source: drive,
        selection: 'all',
        target,
        collisions: 'keepBoth',
        options: { permissions: true },
      });
      restored.push({ driveId, lines });
    }
  });
  afterAll(() => rig.close());

  /** Compares all items of a kind; the key of an item ends with its id. */
  async function expectAlike(
    kind: 'file' | 'folder',
    read: (place: DriveItemPlace) => Promise<Answered>,
    placeOf: (targetId: string, driveId: string) => DriveItemPlace,
  ): Promise<void> {
    let count = 0;
    for (const { driveId, lines } of restored) {
      const compared = await compareCopies(lines, {
        kind,
        section: 'Files: OneDrive and libraries',
        toldAs: FILE_TOLD_AS,
        original: ({ key }) => read({ driveId, itemId: key.slice(key.lastIndexOf(':') + 1) }),
        copy: ({ targetId }) => read(placeOf(targetId, driveId)),
      });
      expect(compared).toMatchObject({ untold: [], notOnPage: [], missing: [] });
      count += compared.count;
    }
    expect(count).toBeGreaterThan(5);
  }

  it('for files, with the bytes of every version', () =>
    expectAlike(
      'file',
      (place) => answeredFile(rig, place),
      (itemId, driveId) => ({ driveId, itemId }),
    ));

  it('for folders', () => expectAlike('folder', (place) => answeredFolder(rig, place), splitPlace));
});
