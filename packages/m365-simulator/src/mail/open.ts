import type { Person } from '../state/directory.ts';
import { denied, fail } from '../http/failure.ts';
import type { Context } from '../http/route.ts';
import { missingItem } from '../http/owned-ids.ts';
import { mailIds } from './mail-ids.ts';
import { type MailboxStore, openMailbox } from './mailbox.ts';
import type { FolderRecord, MessageRecord } from './mailbox-state.ts';

/** The person whose mailbox the path names, or the refusal that Exchange gives. */
export function requireMailboxOwner(context: Context): Person {
  const idOrName = context.params[0] ?? '';
  const person = context.tenant.directory.user(idOrName);
  if (!person) throw fail(404, 'ErrorInvalidUser', `The requested user '${idOrName}' is invalid.`);
  if (!person.hasMailbox || context.hasEffect('noMailbox')) {
    throw fail(404, 'MailboxNotEnabledForRESTAPI', 'The mailbox is either inactive, soft-deleted, or is hosted on-premise.');
  }
  if (person.isClosed)
    throw denied('outlook', 'Access to OData is disabled: [RAOP] : Blocked by tenant configured AppOnly AccessPolicy settings.');
  return person;
}

/** The mailbox that the path names. */
export function requireMailbox(context: Context): MailboxStore {
  return openMailbox(context.tenant, requireMailboxOwner(context));
}

/** A folder by id or well-known name. */
export function findFolder(mailbox: MailboxStore, idOrName: string): FolderRecord | undefined {
  const name = idOrName.toLowerCase();
  for (const folder of mailbox.state.folders.values()) {
    if (folder.wellKnownName === name) return folder;
  }
  const number = mailIds(mailbox.person.id).readFolder(idOrName);
  return number === undefined ? undefined : mailbox.folder(number);
}

/** The folder that the path names, or 404. */
export function requireFolder(mailbox: MailboxStore, idOrName: string): FolderRecord {
  const folder = findFolder(mailbox, idOrName);
  if (folder) return folder;
  throw missingItem(idOrName);
}

/** Refuses to change the content of a message that is no draft, from the day on which Exchange does. */
export function requireChangeable({ tenant, caller }: Context, { isDraft }: MessageRecord): void {
  if (isDraft || tenant.clock.nowMs() < Date.parse(tenant.switches.sentMailIsFixedFrom)) return;
  if (caller.roles.has('Mail-Advanced.ReadWrite.All')) return;
  throw denied('outlook', 'Sensitive properties of a message that is not a draft cannot be changed.');
}

/** The message that the path names, or 404: also for an id that a move has made void. */
export function requireMessage(mailbox: MailboxStore, id: string): MessageRecord {
  const found = mailIds(mailbox.person.id).readMessage(id);
  const message = found && mailbox.message(found.key);
  if (!message || (found.folder !== undefined && found.folder !== message.folder)) throw missingItem(id);
  return message;
}
