import { sha256Hex } from '@holdfast/foundation/bytes';
import type { Person } from '../state/directory.ts';
import { unwind } from '../state/change-log.ts';
import type { Tenant } from '../state/tenant.ts';
import type { TruthRecord } from '../state/truth.ts';
import { folderSeed } from './folder-seed.ts';
import { generatedRecord } from './generated-record.ts';
import { mailIds } from './mail-ids.ts';
import { type MailboxStore, openMailbox } from './mailbox.ts';
import type { FolderRecord, MessageRecord } from './mailbox-state.ts';
import { mailboxTruth } from './mailbox-truth.ts';
import { mimeOf, partsOf } from './message-source.ts';
import { outlookTime } from './render-message.ts';

/** Where people see a folder: names joined with a slash, below the root. */
export function folderPath(mailbox: MailboxStore, number: number): string {
  const names: string[] = [];
  for (let folder = mailbox.folder(number); folder && folder.number !== 0; folder = mailbox.folder(folder.parent))
    names.unshift(folder.displayName);
  return names.join('/');
}

function truthOf(mailbox: MailboxStore, record: MessageRecord): TruthRecord {
  const { tenant, person } = mailbox;
  const mime = mimeOf(tenant, person, record);
  const parts = partsOf(tenant, person, record);
  const folder = mailbox.folder(record.folder);
  return {
    path: folderPath(mailbox, record.folder),
    id: mailIds(person.id).message(record.key, record.folder, true),
    kind: 'message',
    sha256: sha256Hex(mime),
    sizeBytes: mime.byteLength,
    metadata: {
      folder: folder?.wellKnownName ?? null,
      subject: parts.subject,
      internetMessageId: parts.messageId,
      from: parts.from.address,
      to: parts.to.map((mailboxOf) => mailboxOf.address),
      isRead: record.isRead,
      isDraft: record.isDraft,
      flag: record.flag,
      categories: record.categories,
      importance: record.importance,
      receivedDateTime: outlookTime(record.receivedMs),
      sentDateTime: outlookTime(record.sentMs),
      lastModifiedDateTime: outlookTime(record.modifiedMs),
      version: record.version,
      contentVersion: record.contentVersion,
      attachments: parts.attachments.map((attachment) => ({
        name: attachment.name,
        kind: attachment.kind,
        sizeBytes: attachment.sizeBytes,
        isInline: attachment.isInline,
      })),
    },
  };
}

/** Keys of all messages there are or ever were: generated ones folder by folder, then those that came later. */
function* allKeys(
  mailbox: MailboxStore,
): Generator<{ readonly key: string; readonly folder: FolderRecord | undefined; readonly index: number }> {
  for (const folder of mailbox.state.folders.values()) {
    for (let index = 0; index < folder.generated; index += 1) yield { key: `g${folder.number}.${index}`, folder, index };
  }
  for (const key of mailbox.state.items.keys()) {
    if (key.startsWith('n')) yield { key, folder: undefined, index: 0 };
  }
}

function* records(tenant: Tenant, person: Person, at?: number): Generator<TruthRecord> {
  const mailbox = openMailbox(tenant, person);
  const then = at === undefined ? new Map<string, MessageRecord | null | undefined>() : unwind(mailbox.state.journal, at);
  for (const { key, folder, index } of allKeys(mailbox)) {
    let record = mailbox.message(key);
    if (then.has(key)) {
      const before = then.get(key);
      record = before === null && folder ? generatedRecord(folderSeed(tenant, person, folder), index) : (before ?? undefined);
    }
    if (record) yield truthOf(mailbox, record);
  }
}

/** The messages of every mailbox, with the hash of their exact bytes. */
export const mailTruth = mailboxTruth({
  kind: 'mail',
  changeCount: (tenant, person) => openMailbox(tenant, person).state.journal.length,
  records,
});
