import { canonicalJson } from '../src/shared/canonical.ts';
import type { Json, ResourceKind } from '../src/ports/item.ts';
import type { Rig } from './rig.ts';

/** One item that people change after it was backed up. */
export interface Subject {
  readonly kind: ResourceKind;
  readonly owner: string;
  /** Its key in the catalog, and its id at the service. */
  readonly key: string;
  readonly id: string;
  /** What the service's own record says of everything of its sort, as text, with what must never count left out. */
  state(): Promise<readonly string[]>;
  /** As a person does it: itself, or a copy of it. */
  change(id?: string): void;
}

const text = (value: unknown): string => canonicalJson(value as Json);

/** Where what was replaced waits for being deleted. */
const BINS = new Set(['Deleted Items', 'Gelöschte Elemente']);

async function aMember(rig: Rig, fits: (userId: string) => Promise<boolean>): Promise<string> {
  for await (const user of rig.graph.directory.users()) {
    if (user.userType === 'Member' && user.accountEnabled && (await fits(user.id))) return user.id;
  }
  throw new Error('Nobody has what is needed.');
}

async function aMessage(rig: Rig): Promise<Subject> {
  const state = async (): Promise<string[]> =>
    (await rig.truth('mail', owner))
      .filter((record) => record.kind === 'message' && !BINS.has(record.path))
      .map(({ path, metadata: { subject, flag, internetMessageId } }) =>
        text([path, subject as Json, flag as Json, internetMessageId as Json]),
      );
  const owner = await aMember(rig, async (id) => (await rig.truth('mail', id)).length > 3);
  const record = (await rig.truth('mail', owner)).find((one) => one.kind === 'message' && one.metadata['isDraft'] !== true);
  const id = record?.id ?? '';
  return {
    kind: 'mailbox',
    owner,
    key: id,
    id,
    state,
    change: (of = id) => void rig.act('mail.flag', { user: owner, id: of, status: 'complete' }),
  };
}

async function anEvent(rig: Rig): Promise<Subject> {
  const owner = await aMember(rig, async (id) => (await rig.truth('calendar', id)).length > 0);
  const start = { dateTime: '2026-03-02T10:00:00', timeZone: 'UTC' };
  const end = { dateTime: '2026-03-02T11:00:00', timeZone: 'UTC' };
  const { id } = rig.act('calendar.create', { user: owner, event: { subject: 'Before', start, end } });
  const state = async (): Promise<string[]> =>
    (await rig.truth('calendar', owner)).map(({ path, metadata: { subject, start: begins } }) =>
      text([path, subject as Json, begins as Json]),
    );
  const change = (of = String(id)): void => void rig.act('calendar.change', { user: owner, id: of, event: { subject: 'After' } });
  return { kind: 'mailbox', owner, key: String(id), id: String(id), state, change };
}

async function aContact(rig: Rig): Promise<Subject> {
  const owner = await aMember(rig, async (id) => (await rig.truth('contacts', id)).length > 0);
  const contact = { displayName: 'Lee Gu', emailAddresses: [{ address: 'lee@example.com', name: 'Lee Gu' }], jobTitle: 'Before' };
  const { id } = rig.act('contacts.create', { user: owner, contact });
  const state = async (): Promise<string[]> =>
    (await rig.truth('contacts', owner)).map(({ metadata: { displayName, jobTitle } }) =>
      text([displayName as Json, jobTitle ?? null] as Json),
    );
  const change = (of = String(id)): void => void rig.act('contacts.change', { user: owner, id: of, contact: { jobTitle: 'After' } });
  return { kind: 'mailbox', owner, key: String(id), id: String(id), state, change };
}

async function aTask(rig: Rig): Promise<Subject> {
  const owner = await aMember(rig, async (id) => (await rig.truth('todo', id)).length > 0);
  const id = (await rig.truth('todo', owner))[0]?.id ?? '';
  const state = async (): Promise<string[]> =>
    (await rig.truth('todo', owner)).map(({ path, metadata: { title, status, checklistItems, linkedResources } }) =>
      text([path, title as Json, status as Json, checklistItems as Json, linkedResources as Json]),
    );
  return {
    kind: 'mailbox',
    owner,
    key: id,
    id,
    state,
    change: (of = id) => void rig.act('todo.rename', { user: owner, id: of, title: 'After' }),
  };
}

async function aFile(rig: Rig): Promise<Subject> {
  const owner = await aMember(rig, async (id) => (await rig.truth('drives', id)).some((record) => record.kind === 'file'));
  const { id } = rig.act('drives.createFile', { user: owner, name: 'Figures.bin' });
  const state = async (): Promise<string[]> =>
    (await rig.truth('drives', owner))
      .filter((record) => record.kind === 'file')
      .map(({ path, sha256 }) => text([path.replace(/ \d+\./u, '.'), sha256 ?? '']));
  const drive = await rig.graph.drives.userDrive({ userId: owner });
  const change = (of = String(id)): void => void rig.act('drives.edit', { user: owner, id: of });
  return { kind: 'drive', owner, key: `${drive.id}:${String(id)}`, id: String(id), state, change };
}

async function aSite(rig: Rig): Promise<string> {
  for await (const site of rig.graph.sites.allSites()) if (site.displayName === 'Home') return site.id;
  throw new Error('There is no site.');
}

async function aListItem(rig: Rig): Promise<Subject> {
  const owner = await aSite(rig);
  const records = await rig.truth('sites', owner);
  const list = records.find(
    (one) => one.kind === 'list' && one.metadata['isSystem'] !== true && one.metadata['template'] !== 'documentLibrary',
  );
  const row = records.find((one) => one.kind === 'listItem' && one.path.startsWith(`${list?.path}/`));
  const state = async (): Promise<string[]> =>
    (await rig.truth('sites', owner))
      .filter((one) => one.kind === 'listItem' && one.path.startsWith(`${list?.path}/`))
      .map((one) => text((one.metadata['fields'] as Readonly<Record<string, Json>>)['Title']));
  const change = (of = row?.id): void =>
    void rig.act('sites.editItem', { site: owner, list: list?.id, id: of, fields: { Title: 'After' } });
  return { kind: 'site', owner, key: `item:${list?.id}:${row?.id}`, id: row?.id ?? '', state, change };
}

async function aPage(rig: Rig): Promise<Subject> {
  const owner = await aSite(rig);
  const page = (await rig.truth('sites', owner)).find((one) => one.kind === 'page');
  const state = async (): Promise<string[]> =>
    (await rig.truth('sites', owner)).filter((one) => one.kind === 'page').map((one) => text(one.metadata['title'] as Json));
  const change = (of = page?.id): void => void rig.act('sites.editPage', { site: owner, id: of, title: 'After' });
  return { kind: 'site', owner, key: `page:${page?.id}`, id: page?.id ?? '', state, change };
}

/** One of each kind that a restore can meet at its target. */
export const SUBJECTS = {
  message: aMessage,
  event: anEvent,
  contact: aContact,
  task: aTask,
  file: aFile,
  listItem: aListItem,
  page: aPage,
} as const;
