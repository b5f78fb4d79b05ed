import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answered } from '../../../testing/answered.ts';
import { answeredFolders, answeredMailFolder, answeredSettings } from '../../../testing/answered-places.ts';
import { compareCopies, type CopyComparison } from '../../../testing/compare-copies.ts';
import { createRig, type Rig } from '../../../testing/rig.ts';
import type { ItemKind, Resource } from '../../ports/item.ts';
import { besideEnding } from '../beside.ts';
import type { RestoreLine } from '../request.ts';

const OTHERS = 'Contacts, To Do, settings';
const NOTHING: Answered = new Map();

type Comparison = Omit<CopyComparison, 'original' | 'copy' | 'kind'>;

const FOLDER = 'Restored';

/** A copy that can't be in the folder of the restore under its own name: who asks for a folder asks for the ending. */
function underOwnName(copy: Answered): Answered {
  const isName = (name: string): boolean => name === 'name' || name === 'displayName';
  return new Map([...copy].map(([name, value]) => [name, isName(name) ? value.replace(besideEnding(FOLDER), '') : value]));
}

describe('the copy of a folder says what the original says, or the report names the property', () => {
  let rig: Rig;
  let mailbox: Resource;
  let lines: readonly RestoreLine[];

  beforeAll(async () => {
    rig = await createRig({ recipes: ['contoso'] });
    for await (const { id } of rig.graph.directory.users()) {
      const owned = await Promise.all(['mail', 'contacts', 'calendar', 'todo'].map((kind) => rig.truth(kind, id).catch(() => [])));
      if (owned.some((all) => all.length === 0)) continue;
      mailbox = rig.resource('mailbox', id);
      break;
    }
    const { graphId: userId } = mailbox;
    const { calendar, contacts, todo, mail } = rig.graph.exchange;
    await calendar.createCalendar({ userId }, { name: 'Shifts', color: 'lightRed' });
    await contacts.createContactFolder({ userId }, { displayName: 'Suppliers' });
    await todo.createList({ userId }, { displayName: 'Garden' });
    await mail.createFolder({ userId, folderId: 'inbox' }, { displayName: 'Kept apart', isHidden: true });
    await rig.backup(mailbox);
    const target = { resource: mailbox, folder: FOLDER };
    const restored = await rig.restore({ source: mailbox, selection: 'all', target, collisions: 'keepBoth' });
    // What is not protected has nothing to come back, and Graph does not list the default folder of contacts.
    const others = (await rig.items(mailbox)).filter(({ properties }) => properties['notProtected'] ?? properties['isDefault']);
    const left = new Set(others.map(({ key }) => key));
    lines = restored.lines.filter(({ key }) => !left.has(key));
  }, 120_000);
  afterAll(() => rig.close());

  async function expectAlike(kind: ItemKind, comparison: Comparison, read: (id: string) => Promise<Answered>): Promise<void> {
    const compared = await compareCopies(lines, {
      kind,
      ...comparison,
      original: ({ key }) => read(key),
      copy: async ({ targetId }) => underOwnName(await read(targetId)),
    });
    expect(compared).toMatchObject({ untold: [], notOnPage: [], missing: [] });
    expect(compared.count, kind).toBeGreaterThan(1);
  }

  it('for folders of mail, with as much in them', () =>
    expectAlike('mailFolder', { section: 'Mail' }, (id) => answeredMailFolder(rig, mailbox.graphId, id)));

  it.each([
    ['calendar', 'Calendar'],
    ['contactFolder', OTHERS],
    ['taskList', OTHERS],
  ] as const)('for each %s', async (kind, section) => {
    const folders = await answeredFolders(rig, mailbox.graphId);
    await expectAlike(kind, { section }, async (id) => folders.get(id) ?? NOTHING);
  });
});

describe('the copy of a setting in another mailbox says what the original says, or the report names the property', () => {
  it.each(['rule', 'category', 'mailboxSettings'] as const)('for each %s', async (kind) => {
    const rig = await createRig({ recipes: ['contoso'] });
    try {
      const people = (await Array.fromAsync(rig.graph.directory.users())).filter(({ userType }) => userType === 'Member');
      const [from, to] = people.map(({ id }) => rig.resource('mailbox', id)) as [Resource, Resource];
      const { settings } = rig.graph.exchange;
      await settings.createRule(
        { userId: from.graphId },
        { displayName: 'Bills', sequence: 5, isEnabled: false, actions: { delete: true } },
      );
      await settings.createCategory({ userId: from.graphId }, { displayName: 'Board', color: 'preset9' });
      await settings.updateSettings(
        { userId: from.graphId },
        { timeZone: 'Tokyo Standard Time', automaticRepliesSetting: { status: 'alwaysEnabled' } },
      );
      await rig.backup(from);
      const selection = (await rig.items(from)).filter((item) => item.kind === kind).map(({ key }) => key);
      const { lines } = await rig.restore({ source: from, selection, target: { resource: to }, collisions: 'replace' });
      const [original, copy] = [await answeredSettings(rig, from.graphId), await answeredSettings(rig, to.graphId)];
      const written = lines.filter(({ kind: one, outcome }) => one === kind && outcome !== 'skipped' && outcome !== 'notPossible');
      const compared = await compareCopies(
        written.map((line) => ({ ...line, targetId: line.targetId ?? '' })),
        {
          kind,
          section: OTHERS,
          toldAs: { automaticRepliesSetting: ['automaticRepliesSetting.status'] },
          original: async ({ key }) => original.get(kind === 'mailboxSettings' ? '' : key.slice(key.indexOf(':') + 1)) ?? NOTHING,
          copy: async ({ targetId }) => copy.get(targetId) ?? NOTHING,
        },
      );
      expect(compared).toMatchObject({ untold: [], notOnPage: [], missing: [] });
      expect(compared.count).toBeGreaterThan(0);
    } finally {
      await rig.close();
    }
  });
});
