import { onCrashPoint } from '@holdfast/foundation/crash-point';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { dieAndGoOn, requireOnce } from '../testing/die-and-go-on.ts';
import { createRig, type Rig } from '../testing/rig.ts';
import type { Resource } from '../src/ports/item.ts';
import { wipeMailbox } from '../testing/wipe-mailbox.ts';

afterEach(() => onCrashPoint(undefined));

describe('a restore of a mailbox that dies', () => {
  const KINDS = ['mail', 'calendar', 'contacts', 'todo'] as const;
  let rig: Rig;
  let mailbox: Resource;
  let snapshot: string;

  beforeAll(async () => {
    rig = await createRig({ recipes: ['tiny'] });
    const userId = await somebody();
    mailbox = rig.resource('mailbox', userId);
    deliverLargeMessage(userId);
    await rig.backup(mailbox);
    snapshot = rig.simulator.control.snapshot();
  });
  beforeEach(() => rig.simulator.control.restore(snapshot));
  afterAll(() => rig.close());

  async function somebody(): Promise<string> {
    for await (const user of rig.graph.directory.users()) {
      const counts = await Promise.all(KINDS.map(async (kind) => (await rig.truth(kind, user.id)).length));
      if (user.userType === 'Member' && counts.every((count) => count > 0)) return user.id;
    }
    throw new Error('Nobody has something of everything.');
  }

  /** Its attachments don't fit into one request: a worker can die between the message and them. */
  function deliverLargeMessage(user: string): void {
    const attachment = (name: string) => ({
      name,
      contentType: 'application/octet-stream',
      contentBytes: Buffer.alloc(1_700_000, name).toString('base64'),
    });
    rig.act('mail.deliver', { user, subject: 'Plans', attachments: [attachment('one.bin'), attachment('two.bin')] });
  }

  /** What is held, by what it says; the attachments of messages included. */
  async function held(): Promise<readonly string[]> {
    const all: string[] = [];
    const purges = 'Wiederherstellbare Elemente/';
    for (const kind of KINDS) {
      for (const record of await rig.truth(kind, mailbox.graphId)) {
        // What is half made goes where only an administrator finds it.
        if (record.path.startsWith(purges)) continue;
        const { subject, title, displayName, attachments } = record.metadata;
        all.push(`${kind} ${record.kind} ${record.path} ${JSON.stringify([subject, title, displayName, attachments])}`);
      }
    }
    return all.sort();
  }

  const wipe = () => wipeMailbox(rig, mailbox.graphId);

  const REQUESTS = { skip: { collisions: 'skip' }, 'keep both': { collisions: 'keepBoth', folder: 'Again' } } as const;
  type Way = keyof typeof REQUESTS;
  const wanted = new Map<Way, readonly string[]>();

  /** What a restore comes to that nobody disturbs. */
  async function undisturbed(way: Way): Promise<readonly string[]> {
    const known = wanted.get(way);
    if (known) return known;
    if (way === 'skip') await wipe();
    const { collisions, ...target } = REQUESTS[way];
    await rig.restore({ source: mailbox, selection: 'all', target: { resource: mailbox, ...target }, collisions });
    wanted.set(way, await held());
    rig.simulator.control.restore(snapshot);
    return wanted.get(way) ?? [];
  }

  it.each([
    ['skip', 'restore.message-created', 5],
    ['skip', 'restore.before-attachments', 1],
    ['keep both', 'restore.message-created', 7],
    ['keep both', 'restore.before-attachments', 1],
  ] as const)('comes to what it would have come to (%s, at %s, passing %i)', async (way, point, nth) => {
    const expected = await undisturbed(way);
    if (way === 'skip') await wipe();
    requireOnce(await dieAndGoOn(rig, { source: mailbox, ...REQUESTS[way] }, [point, nth]));
    expect(await held()).toEqual(expected);
  });
});
