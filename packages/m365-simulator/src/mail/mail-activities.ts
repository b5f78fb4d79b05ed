import type { Random } from '@holdfast/foundation/random';
import { documentName, paragraph, sentence, subjectLine } from '../content/prose.ts';
import { between, chance, pick } from '../values/seeded.ts';
import type { Person } from '../state/directory.ts';
import { badRequest, notFound } from '../http/failure.ts';
import { isJsonObject, type JsonObject } from '../values/json.ts';
import { NO_BYTES } from '../state/received.ts';
import type { Tenant } from '../state/tenant.ts';
import type { Activity } from '../http/workload.ts';
import { mailIds } from './mail-ids.ts';
import { type MailboxStore, openMailbox } from './mailbox.ts';
import type { MessageRecord, StoredAttachment } from './mailbox-state.ts';
import { findFolder, requireFolder, requireMessage } from './open.ts';
import { sentTime } from './mime-message.ts';
import { blankMessage, changeContent, editableContent, settleContent } from './write-message.ts';
import { deleteMessage } from './write-routes.ts';
import { DELETED, INBOX, ROOT } from './well-known-folders.ts';

function textOf(input: JsonObject, name: string, otherwise?: string): string {
  const value = input[name];
  if (typeof value === 'string') return value;
  if (otherwise !== undefined) return otherwise;
  throw badRequest('outlook', `The field ${name} is required.`);
}

function mailboxFor(tenant: Tenant, input: JsonObject): MailboxStore {
  const name = textOf(input, 'user');
  const person = tenant.directory.user(name);
  if (!person) throw notFound('outlook', `There is no user ${name}.`);
  return openMailbox(tenant, person);
}

function messageFor(tenant: Tenant, input: JsonObject): { readonly mailbox: MailboxStore; readonly record: MessageRecord } {
  const mailbox = mailboxFor(tenant, input);
  return { mailbox, record: requireMessage(mailbox, textOf(input, 'id')) };
}

function idOf(mailbox: MailboxStore, record: MessageRecord): JsonObject {
  return { id: mailIds(mailbox.person.id).message(record.key, record.folder, true) };
}

function addressed(name: string, address: string): JsonObject {
  return { emailAddress: { name, address } };
}

function attachmentsOf({ received }: Tenant, input: JsonObject): StoredAttachment[] {
  const list = Array.isArray(input['attachments']) ? input['attachments'] : [];
  return list
    .filter((entry) => isJsonObject(entry))
    .map((entry: JsonObject) => ({
      kind: 'file',
      name: textOf(entry, 'name'),
      contentType: textOf(entry, 'contentType', 'application/octet-stream'),
      isInline: false,
      contentId: null,
      bytes: received.add(Buffer.from(textOf(entry, 'contentBytes'), 'base64')),
    }));
}

function deliver(tenant: Tenant, input: JsonObject): JsonObject {
  const mailbox = mailboxFor(tenant, input);
  const folder = requireFolder(mailbox, textOf(input, 'folder', 'inbox')).number;
  const blank = { ...blankMessage(mailbox, folder), isDraft: false, isRead: false };
  if (typeof input['mime'] === 'string') {
    const mime = Buffer.from(input['mime'], 'base64');
    return idOf(
      mailbox,
      mailbox.add({ ...blank, sentMs: sentTime(mime) ?? blank.sentMs, content: { from: 'mime', mime: tenant.received.add(mime) } }),
    );
  }
  const from = textOf(input, 'from', 'news@proseware.example');
  const message: JsonObject = {
    subject: textOf(input, 'subject', 'News'),
    body: { contentType: 'html', content: textOf(input, 'body', '<p>News</p>') },
    from: addressed(from, from),
    sender: addressed(from, from),
    toRecipients: [addressed(mailbox.person.displayName, mailbox.person.mail)],
  };
  const content = settleContent(tenant.received, { message, text: NO_BYTES, attachments: attachmentsOf(tenant, input) });
  return idOf(mailbox, mailbox.add({ ...blank, content }));
}

function change(tenant: Tenant, input: JsonObject, marks: (record: MessageRecord) => Partial<MessageRecord>): JsonObject {
  const { mailbox, record } = messageFor(tenant, input);
  return idOf(mailbox, mailbox.put({ ...record, ...marks(record) }, { isContent: false }));
}

function edit(tenant: Tenant, input: JsonObject): JsonObject {
  const { mailbox, record } = messageFor(tenant, input);
  const names = ['subject', 'body'].filter((name) => input[name] !== undefined);
  const changes = Object.fromEntries(names.map((name) => [name, input[name]]));
  const content = changeContent(mailbox, editableContent(mailbox, record), changes);
  return idOf(mailbox, mailbox.put({ ...record, content }, { isContent: true }));
}

function folderActivity(tenant: Tenant, input: JsonObject): JsonObject {
  const mailbox = mailboxFor(tenant, input);
  const ids = mailIds(mailbox.person.id);
  if (input['do'] === 'mail.createFolder') {
    const parent = input['parent'] === undefined ? ROOT : requireFolder(mailbox, textOf(input, 'parent')).number;
    return { id: ids.folder(mailbox.addFolder({ displayName: textOf(input, 'name'), parent, isHidden: false }).number) };
  }
  const folder = requireFolder(mailbox, textOf(input, 'folder'));
  if (folder.wellKnownName !== undefined) throw badRequest('outlook', 'Distinguished folders stay as they are.');
  if (input['do'] === 'mail.deleteFolder') {
    const feed = mailbox.feed(folder);
    for (let position = 0; position < feed.size; position += 1) {
      const record = feed.at(position);
      if (record) mailbox.put({ ...record, folder: DELETED }, { isContent: false });
    }
    mailbox.removeFolder(folder.number);
  } else if (input['do'] === 'mail.renameFolder') mailbox.putFolder({ ...folder, displayName: textOf(input, 'name') });
  else mailbox.putFolder({ ...folder, parent: requireFolder(mailbox, textOf(input, 'parent')).number });
  return { id: ids.folder(folder.number) };
}

const folderActivities = ['mail.createFolder', 'mail.renameFolder', 'mail.moveFolder', 'mail.deleteFolder'].map((name): Activity => ({
  name,
  run: (tenant, input) => folderActivity(tenant, { ...input, do: name }),
}));

/** What people do with their mail. */
export const mailActivities: readonly Activity[] = [
  { name: 'mail.deliver', run: deliver },
  { name: 'mail.read', run: (tenant, input) => change(tenant, input, () => ({ isRead: input['isRead'] !== false })) },
  {
    name: 'mail.flag',
    run: (tenant, input) => change(tenant, input, () => ({ flag: { flagStatus: textOf(input, 'status', 'flagged') } })),
  },
  {
    name: 'mail.categorise',
    run: (tenant, input) =>
      change(tenant, input, () => ({
        categories: Array.isArray(input['categories']) ? input['categories'].filter((name) => typeof name === 'string') : [],
      })),
  },
  {
    name: 'mail.move',
    run(tenant, input) {
      const { mailbox, record } = messageFor(tenant, input);
      return idOf(
        mailbox,
        mailbox.put({ ...record, folder: requireFolder(mailbox, textOf(input, 'folder')).number }, { isContent: false }),
      );
    },
  },
  { name: 'mail.edit', run: edit },
  {
    name: 'mail.delete',
    run(tenant, input) {
      const { mailbox, record } = messageFor(tenant, input);
      deleteMessage(mailbox, record);
      return idOf(mailbox, record);
    },
  },
  {
    name: 'mail.purge',
    run(tenant, input) {
      const { mailbox, record } = messageFor(tenant, input);
      mailbox.remove(record);
      return idOf(mailbox, record);
    },
  },
  ...folderActivities,
];

/** A message of the folder, the newest more often than old ones. */
function someMessage(mailbox: MailboxStore, folder: number, random: Random): MessageRecord | undefined {
  const record = mailbox.folder(folder);
  const feed = record && mailbox.feed(record);
  if (!feed || feed.size === 0) return undefined;
  for (let tries = 0; tries < 5; tries += 1) {
    const message = feed.at(Math.floor(feed.size * random.next() ** 2));
    if (message) return message;
  }
  return undefined;
}

function arrive(tenant: Tenant, person: Person, random: Random): void {
  const sender = pick(random, tenant.directory.generated());
  const subject = subjectLine(random, person.language);
  const paragraphs = Array.from(
    { length: between(random, 1, 4) },
    () => `<p>${paragraph(random, person.language, between(random, 1, 4))}</p>`,
  );
  const files = chance(random, 0.2)
    ? [
        {
          name: `${documentName(random, person.language)}.txt`,
          contentType: 'text/plain',
          contentBytes: Buffer.from(sentence(random, person.language).repeat(200)).toString('base64'),
        },
      ]
    : [];
  deliver(tenant, {
    user: person.id,
    subject,
    from: sender.mail,
    body: `<html><body>${paragraphs.join('')}</body></html>`,
    attachments: files,
  });
}

/** One day in every mailbox: mail comes, is read, flagged, filed, deleted. */
export function playMailDay(tenant: Tenant, random: Random): Readonly<Record<string, number>> {
  const done: Record<string, number> = {
    'mail.deliver': 0,
    'mail.read': 0,
    'mail.flag': 0,
    'mail.move': 0,
    'mail.delete': 0,
    'mail.purge': 0,
  };
  const count = (name: string): void => {
    done[name] = (done[name] ?? 0) + 1;
  };
  const people = tenant.directory.users().filter((person) => person.hasMailbox && person.kind === 'member');
  for (const person of people) {
    const mailbox = openMailbox(tenant, person);
    for (let left = between(random, 2, 8); left > 0; left -= 1) {
      arrive(tenant, person, random);
      count('mail.deliver');
    }
    const act = (folder: number, probability: number, name: string, run: (record: MessageRecord) => void): void => {
      const record = chance(random, probability) ? someMessage(mailbox, folder, random) : undefined;
      if (!record) return;
      run(record);
      count(name);
    };
    for (let left = 4; left > 0; left -= 1)
      act(INBOX, 0.8, 'mail.read', (record) => mailbox.put({ ...record, isRead: !record.isRead }, { isContent: false }));
    act(INBOX, 0.3, 'mail.flag', (record) => mailbox.put({ ...record, flag: { flagStatus: 'flagged' } }, { isContent: false }));
    const archive = findFolder(mailbox, 'archive')?.number ?? INBOX;
    act(INBOX, 0.7, 'mail.move', (record) => mailbox.put({ ...record, folder: archive }, { isContent: false }));
    act(INBOX, 0.5, 'mail.delete', (record) => deleteMessage(mailbox, record));
    act(DELETED, 0.2, 'mail.purge', (record) => mailbox.remove(record));
  }
  return done;
}
