import { crashPoint } from '@holdfast/foundation/crash-point';
import type { MailFolderRef, MessageEntry } from '@holdfast/m365';
import type { MimeParser } from '../../mime/mime-parser.ts';
import type { ItemVersion } from '../../ports/item.ts';
import { unlessGone } from '../attempt.ts';
import { writtenOf, type ItemOutcome, type PlacedContainer, type RestoreContext } from '../restorer.ts';
import { createExistingMessages } from './existing-messages.ts';
import { createMessageMaker, type MadeMessage } from './make-message.ts';
import { createTwins, without } from '../twins.ts';

/** What the provider called a message: one of an archive is named by its bytes, and had a name in each of its places. */
function originalsOf({ key, properties }: ItemVersion): readonly unknown[] {
  const { originals } = properties;
  return Array.isArray(originals) ? originals : [key];
}

const inSeconds = (time: unknown): number => Math.floor(Date.parse(String(time)) / 1_000);
const plain = (subject: string | null | undefined): string => (subject ?? '').replaceAll(/\s+/gu, ' ').trim();

/** An archive keeps every mail of one Message-ID: one that says something else is another mail. */
function mayBe(item: ItemVersion, { subject, receivedDateTime }: MessageEntry): boolean {
  if (item.properties['originals'] === undefined) return true;
  return plain(subject) === plain(item.name) && inSeconds(receivedDateTime) === inSeconds(item.properties['receivedDateTime']);
}

/** Puts messages back, one at a time each; several may run beside each other. */
export function createMessageRestorer(context: RestoreContext, parser: MimeParser) {
  const { request, graph, pointAt, beginnings } = context;
  const { mail } = graph.exchange;
  const userId = request.target.resource.graphId;
  const existing = createExistingMessages(mail, userId);
  const twins = createTwins(context);
  const maker = createMessageMaker(context, parser, existing);

  async function isExistingNewer(entry: MessageEntry): Promise<boolean> {
    const { lastModifiedDateTime } = await mail.message({ userId, messageId: entry.id });
    return Date.parse(lastModifiedDateTime ?? '') > Date.parse(pointAt);
  }

  function isSame(entry: MessageEntry, item: ItemVersion): boolean {
    return entry.id === item.key && entry.changeKey !== undefined && entry.changeKey === item.properties['changeKey'];
  }

  const remove = (messageId: string): Promise<void> => unlessGone(() => mail.deleteMessage({ userId, messageId }));

  /** Makes a message, and takes away what a worker that died had made of it: whether that was whole can't be seen. */
  async function create(folder: MailFolderRef, item: ItemVersion, old?: MessageEntry): Promise<MadeMessage> {
    const there = await existing.like(folder.folderId, item);
    const left = await beginnings.leftOf(item.key, there);
    await beginnings.begin(item.key, there);
    const made = await maker.create(folder, item);
    for (const { id } of left) await unlessGone(() => mail.permanentlyDeleteMessage({ userId, messageId: id }));
    const replaced = old && { id: old.id, mark: old.changeKey ?? '' };
    await beginnings.wrote({
      ...writtenOf(item),
      targetId: made.id,
      place: folder.folderId,
      mark: made.mark,
      ...(replaced ? { replaced } : {}),
    });
    return made;
  }

  /** The new one is whole before the old one goes; a kill between them leaves both. */
  async function replace(folder: MailFolderRef, item: ItemVersion, old: MessageEntry): Promise<ItemOutcome> {
    const made = await create(folder, item, old);
    await crashPoint('restore.before-delete');
    await remove(old.id);
    await crashPoint('restore.after-delete');
    return { outcome: 'replaced', targetId: made.id, differences: made.differences, bytes: item.sizeBytes };
  }

  /** The message at the target that is this one: by its id, or by what it says for each of several alike. */
  async function oldOf(folderId: string, item: ItemVersion): Promise<MessageEntry | undefined> {
    const there = await existing.like(folderId, item);
    const before = without(there, await beginnings.leftOf(item.key, there));
    const originals = originalsOf(item);
    return before.find(({ id }) => originals.includes(id)) ?? twins.find(before.filter((entry) => mayBe(item, entry)));
  }

  async function decide(folder: MailFolderRef, item: ItemVersion, old: MessageEntry): Promise<ItemOutcome> {
    if (request.collisions === 'skip') return { outcome: 'skipped', targetId: old.id, code: 'restore.exists' };
    if (isSame(old, item)) return { outcome: 'skipped', targetId: old.id, code: 'restore.identical' };
    if (request.collisions === 'newerWins' && (await isExistingNewer(old))) {
      return { outcome: 'skipped', targetId: old.id, code: 'restore.existing-newer' };
    }
    return replace(folder, item, old);
  }

  return {
    async restore(item: ItemVersion, parent: PlacedContainer): Promise<ItemOutcome> {
      const folder = { userId, folderId: parent.targetId };
      const old = request.collisions === 'keepBoth' ? undefined : await oldOf(parent.targetId, item);
      if (old) return decide(folder, item, old);
      const made = await create(folder, item);
      return { outcome: 'restored', targetId: made.id, differences: made.differences, bytes: item.sizeBytes };
    },
  };
}
