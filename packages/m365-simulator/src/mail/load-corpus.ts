import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '@holdfast/foundation/errors';
import { hashText } from '../values/seeded.ts';
import type { Person } from '../state/directory.ts';
import type { Tenant } from '../state/tenant.ts';
import { type FilePart, readPart } from './file-part.ts';
import { type MailboxStore, openMailbox } from './mailbox.ts';
import { sentTime } from './mime-message.ts';
import { blankMessage } from './write-message.ts';
import { INBOX, ROOT, wellKnownFolders } from './well-known-folders.ts';

interface Found extends FilePart {
  /** Folders above the file, below the corpus. */
  readonly folders: readonly string[];
}

const HEAD_BYTES = 16 * 1024;
const SEPARATOR = Buffer.from('\nFrom ');

/** Where the messages of an mbox begin and end: each after a line that starts with `From `. */
function splitMbox(path: string, sizeBytes: number): FilePart[] {
  const data = readPart({ path, start: 0, sizeBytes });
  const parts: FilePart[] = [];
  let line = data.subarray(0, 5).toString() === 'From ' ? 0 : -1;
  while (line >= 0) {
    const start = data.indexOf(10, line) + 1;
    const next = data.indexOf(SEPARATOR, start - 1);
    const end = next < 0 ? data.byteLength : next;
    if (start > 0 && end > start) parts.push({ path, start, sizeBytes: end - start });
    line = next < 0 ? -1 : next + 1;
  }
  return parts;
}

function messagesOf(path: string): FilePart[] {
  const { size } = statSync(path);
  if (/\.eml$/iu.test(path)) return [{ path, start: 0, sizeBytes: size }];
  return /\.mbox$/iu.test(path) ? splitMbox(path, size) : [];
}

function* walk(folder: string, above: readonly string[]): Generator<Found> {
  const entries = readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* walk(path, [...above, entry.name]);
    else if (entry.isFile()) for (const part of messagesOf(path)) yield { ...part, folders: above };
  }
}

/** The folder of a mailbox for the folders of the corpus: a well-known one by its name in either language, else a new one. */
function targetFolder(mailbox: MailboxStore, names: readonly string[]): number {
  let parent = ROOT;
  for (const name of names) {
    const lower = name.toLowerCase();
    const known = wellKnownFolders.find(
      (folder) => folder.name === lower || Object.values(folder.displayNames).some((other) => other.toLowerCase() === lower),
    );
    const own = [...mailbox.state.folders.values()].find(
      (folder) => folder.parent === parent && folder.displayName.toLowerCase() === lower,
    );
    parent =
      own?.number ??
      (parent === ROOT ? known?.number : undefined) ??
      mailbox.addFolder({ displayName: name, parent, isHidden: false }).number;
  }
  return parent === ROOT ? INBOX : parent;
}

/** What was loaded is the beginning, not a change. */
function forgetChanges(mailbox: MailboxStore): void {
  mailbox.state.journal.length = 0;
  mailbox.state.logs.clear();
  mailbox.state.folderLog.ids.length = 0;
  mailbox.state.folderLog.last.clear();
}

/**
 * Loads a folder of `.eml` and `.mbox` files. Folders at the top are mailboxes, given to people in order; below them
 * are mail folders. Files at the top go to mailboxes by the hash of their names. The bytes stay in the files, which must
 * not change while the simulator runs. Returns how many messages there are.
 */
export function loadCorpus(tenant: Tenant, folder: string): number {
  const people = tenant.directory.users().filter((person) => person.hasMailbox && person.kind === 'member');
  if (people.length === 0) throw new AppError('simulator.no-mailbox', { message: 'There is no mailbox for the corpus.' });
  const owners = new Map<string, Person>();
  const touched = new Map<string, MailboxStore>();
  let count = 0;
  for (const found of walk(folder, [])) {
    const [top] = found.folders;
    const number = top === undefined ? hashText(found.path.slice(folder.length)) : owners.size;
    const owner = (top === undefined ? undefined : owners.get(top)) ?? people[number % people.length];
    if (!owner) continue;
    if (top !== undefined) owners.set(top, owner);
    const mailbox = touched.get(owner.id) ?? openMailbox(tenant, owner);
    touched.set(owner.id, mailbox);
    const blank = blankMessage(mailbox, targetFolder(mailbox, found.folders.slice(1)));
    const sentMs = sentTime(readPart(found, HEAD_BYTES)) ?? tenant.epochMs;
    const { path, start, sizeBytes } = found;
    mailbox.add({
      ...blank,
      isDraft: false,
      createdMs: sentMs,
      modifiedMs: sentMs,
      receivedMs: sentMs,
      sentMs,
      content: { from: 'file', path, start, sizeBytes },
    });
    count += 1;
  }
  for (const mailbox of touched.values()) forgetChanges(mailbox);
  return count;
}
