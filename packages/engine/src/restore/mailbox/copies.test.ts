import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answered } from '../../../testing/answered.ts';
import { answeredContact, answeredEvent, answeredTasks, EVENT_TOLD_AS } from '../../../testing/answered-mailbox.ts';
import { compareCopies, type CopyComparison } from '../../../testing/compare-copies.ts';
import { createRig, type Rig } from '../../../testing/rig.ts';
import type { RestoreLine } from '../request.ts';

const FOLDERS = new Set(['calendar', 'contactFolder', 'taskList']);
const OTHERS = 'Contacts, To Do, settings';
const MAILBOXES = 6;

type Comparison = Omit<CopyComparison, 'original' | 'copy'>;

describe('the copy of an event, a contact or a task says what the original says, or the report names the property', () => {
  let rig: Rig;
  const restored = new Map<string, readonly RestoreLine[]>();

  beforeAll(async () => {
    rig = await createRig({ recipes: ['contoso'] });
    for await (const { id } of rig.graph.directory.users()) {
      if (restored.size === MAILBOXES || (await rig.truth('calendar', id).catch(() => [])).length === 0) continue;
      const mailbox = rig.resource('mailbox', id);
      await rig.backup(mailbox);
      const selection = (await rig.items(mailbox)).filter(({ kind }) => FOLDERS.has(kind)).map(({ key }) => key);
      const target = { resource: mailbox, folder: 'Restored' };
      restored.set(id, (await rig.restore({ source: mailbox, selection, target, collisions: 'keepBoth' })).lines);
    }
  });
  afterAll(() => rig.close());

  async function expectAlike(comparison: Comparison, read: (userId: string, id: string) => Promise<Answered>): Promise<void> {
    let count = 0;
    for (const [userId, lines] of restored) {
      const compared = await compareCopies(lines, {
        ...comparison,
        original: ({ key }) => read(userId, key),
        copy: ({ targetId }) => read(userId, targetId),
      });
      expect(compared).toMatchObject({ untold: [], notOnPage: [], missing: [] });
      count += compared.count;
    }
    expect(count).toBeGreaterThan(MAILBOXES * 5);
  }

  it('for events, series and their exceptions', () =>
    expectAlike({ kind: 'event', section: 'Calendar', toldAs: EVENT_TOLD_AS }, (userId, id) => answeredEvent(rig, userId, id)));

  it('for contacts with their photos', () =>
    expectAlike({ kind: 'contact', section: OTHERS }, (userId, id) => answeredContact(rig, userId, id)));

  it('for tasks with steps, links and files', async () => {
    const tasks = new Map<string, Answered>();
    for (const userId of restored.keys()) for (const [id, task] of await answeredTasks(rig, userId)) tasks.set(id, task);
    await expectAlike({ kind: 'task', section: OTHERS }, async (_userId, id) => tasks.get(id) ?? new Map());
  });
});
