import type { Random } from '@holdfast/foundation/random';
import type { Selection } from '../src/ports/run.ts';
import type { Resource, ResourceKind } from '../src/ports/item.ts';
import { channelFilesOfTruth, channelFilesOfVault, channelPlaces } from './compare-channel-files.ts';
import { chatFactsOfTruth, chatFactsOfVault, teamFactsOfTruth, teamFactsOfVault } from './compare-conversation.ts';
import { driveOfTruth, driveOfVault } from './compare-drive.ts';
import { mailOfTruth, mailOfVault } from './compare-mail.ts';
import { mailboxOfTruth, mailboxOfVault, type MailboxPart } from './compare-mailbox.ts';
import { siteOfTruth, siteOfVault } from './compare-site.ts';
import { factOf, type Facts } from './facts.ts';
import type { Rig } from './rig.ts';

/** What a tenant has for the seeds to be played on. */
export interface Owners {
  readonly users: readonly string[];
  readonly drives: readonly string[];
  readonly sites: readonly string[];
  readonly teams: readonly string[];
  readonly chats: readonly string[];
}

/** One thing that is backed up under faults, and how it is held against the service's own record. */
export interface Subject {
  readonly name: string;
  readonly kind: ResourceKind;
  readonly owners: (owners: Owners) => readonly string[];
  readonly selection: Selection;
  /** Requests that its faults are about, as patterns; any request besides. */
  readonly paths: readonly string[];
  readonly wanted: (rig: Rig, owner: string) => Promise<Facts>;
  readonly found: (rig: Rig, resource: Resource) => Promise<Facts>;
  /** What people do beside an ordinary day. */
  readonly act?: (rig: Rig, owner: string, random: Random) => Promise<void>;
}

/** Folders that stay empty are left out: they cost requests in each run and prove nothing. */
const ALWAYS_EMPTY = ['Outbox', 'Conversation History', 'Sync Issues', 'Synchronisierungsprobleme'];
const NO_PARTS = { calendars: false, contacts: false, tasks: false };
const SETTINGS_PATHS = ['*/mailboxSettings', '*/messageRules', '*/masterCategories'];

function together(...all: readonly Facts[]): Facts {
  return new Map(all.flatMap((facts) => [...facts]));
}

async function mailWanted(rig: Rig, owner: string): Promise<Facts> {
  const messages = [...(await mailOfTruth(rig, owner))];
  const within = (path: string): readonly string[] => [`mailFolder:${path.slice(path.lastIndexOf('/') + 1)}`];
  const facts: Facts = new Map(messages.map(([key, message]) => [key, factOf(message, within(message.path))]));
  return together(facts, await mailboxOfTruth(rig, 'settings', owner));
}

async function mailFound(rig: Rig, resource: Resource): Promise<Facts> {
  const facts: Facts = new Map([...(await mailOfVault(rig, resource))].map(([key, message]) => [key, factOf(message)]));
  return together(facts, await mailboxOfVault(rig, 'settings', resource));
}

const mail: Subject = {
  name: 'mail',
  kind: 'mailbox',
  owners: ({ users }) => users,
  selection: { exclude: ALWAYS_EMPTY, mailbox: NO_PARTS },
  paths: ['*messages/delta*', '*mailFolders/delta*', '*/$value', ...SETTINGS_PATHS.slice(0, 1)],
  wanted: mailWanted,
  found: mailFound,
};

async function changeTasks(rig: Rig, user: string, random: Random): Promise<void> {
  const tasks = await rig.truth('todo', user);
  const task = tasks[random.below(tasks.length)];
  if (task) rig.act('todo.rename', { user, id: task.id, title: `Renamed ${random.below(1_000)}` });
}

async function changeContacts(rig: Rig, user: string, random: Random): Promise<void> {
  const contacts = await rig.truth('contacts', user);
  const some = contacts[random.below(contacts.length)];
  if (some) rig.act('contacts.change', { user, id: some.id, contact: { companyName: `Company ${random.below(1_000)}` } });
  rig.act('contacts.create', { user, contact: { displayName: `New ${random.below(1_000)}` } });
  const other = contacts[random.below(contacts.length)];
  if (other) rig.act('contacts.delete', { user, id: other.id });
}

async function changeSettings(rig: Rig, userId: string, random: Random): Promise<void> {
  const displayName = `Rule ${random.below(1_000)}`;
  await rig.graph.exchange.settings.updateSettings({ userId }, { timeFormat: 'hh:mm tt' });
  await rig.graph.exchange.settings.createRule({ userId }, { displayName, sequence: 5, actions: { markAsRead: true } });
}

function part(
  name: MailboxPart,
  wants: Partial<typeof NO_PARTS>,
  rest: { readonly paths: readonly string[]; readonly act?: Subject['act'] },
): Subject {
  return {
    name,
    kind: 'mailbox',
    owners: ({ users }) => users,
    selection: { include: ['Nothing of the mail'], mailbox: { ...NO_PARTS, ...wants } },
    paths: rest.paths,
    wanted: (rig, owner) => mailboxOfTruth(rig, name, owner),
    found: (rig, resource) => mailboxOfVault(rig, name, resource),
    ...(rest.act ? { act: rest.act } : {}),
  };
}

async function filesWanted(rig: Rig, driveId: string): Promise<Facts> {
  const within = ['unread:libraries', `unread:library:${driveId}`];
  return new Map([...(await driveOfTruth(rig, driveId))].map(([id, file]) => [id, factOf(file, [...within, `${driveId}:${id}`])]));
}

async function filesFound(rig: Rig, resource: Resource): Promise<Facts> {
  return new Map([...(await driveOfVault(rig, resource))].map(([id, file]) => [id, factOf(file)]));
}

async function librariesWanted(rig: Rig, siteId: string): Promise<Facts> {
  const facts: Facts[] = [];
  for (const { kind, metadata } of await rig.truth('sites', siteId)) {
    const { driveId } = metadata;
    if (kind === 'list' && typeof driveId === 'string') facts.push(await filesWanted(rig, driveId));
  }
  return together(...facts);
}

async function channelFilesWanted(rig: Rig, teamId: string): Promise<Facts> {
  const facts: Facts = new Map();
  for (const place of await channelPlaces(rig, teamId)) {
    const within = [`unread:files:${place.id}`, `unread:channel:${place.id}`];
    for (const [id, file] of await channelFilesOfTruth(rig, [place])) facts.set(`${place.driveId}:${id}`, factOf(file, within));
  }
  return facts;
}

async function channelFilesFound(rig: Rig, resource: Resource): Promise<Facts> {
  const keys = new Map((await rig.items(resource)).map(({ key }) => [key.slice(key.lastIndexOf(':') + 1), key]));
  return new Map([...(await channelFilesOfVault(rig, resource))].map(([id, file]) => [keys.get(id) ?? id, factOf(file)]));
}

const drive: Subject = {
  name: 'drive',
  kind: 'drive',
  owners: ({ drives }) => drives,
  selection: {},
  paths: ['*/content', '*root/delta*', '*versions*', '*/permissions'],
  wanted: filesWanted,
  found: filesFound,
};

const site: Subject = {
  name: 'site',
  kind: 'site',
  owners: ({ sites }) => sites,
  selection: {},
  paths: ['*/items/delta*', '*/items/*/versions', '*/pages*', '*/lists*', '*/content', '*root/delta*'],
  wanted: async (rig, owner) => together(await siteOfTruth(rig, owner), await librariesWanted(rig, owner)),
  found: async (rig, resource) => together(await siteOfVault(rig, resource), await filesFound(rig, resource)),
};

const team: Subject = {
  name: 'team',
  kind: 'team',
  owners: ({ teams }) => teams,
  selection: {},
  paths: [
    '*/messages/delta*',
    '*/messages*',
    '*/hostedContents/*',
    '*/channels*',
    '*/members',
    '*/tabs',
    '*/filesFolder',
    '*root/delta*',
    '*/content',
    '*versions*',
    '*/permissions',
  ],
  wanted: async (rig, owner) => together(await teamFactsOfTruth(rig, owner), await channelFilesWanted(rig, owner)),
  found: async (rig, resource) => together(await teamFactsOfVault(rig, resource), await channelFilesFound(rig, resource)),
};

const chat: Subject = {
  name: 'chat',
  kind: 'chat',
  owners: ({ chats }) => chats,
  selection: {},
  paths: ['*/messages*', '*/hostedContents/*', '*/members'],
  wanted: chatFactsOfTruth,
  found: chatFactsOfVault,
};

/** In turn by the number of the seed: everything that is backed up, the bulk of it twice. */
export const SUBJECTS: readonly Subject[] = [
  mail,
  drive,
  part('calendars', { calendars: true }, { paths: ['*/calendars*', '*/events*'] }),
  part('contacts', { contacts: true }, { paths: ['*/contacts/delta*', '*/photo/*', '*/contactFolders*'], act: changeContacts }),
  site,
  mail,
  drive,
  part('tasks', { tasks: true }, { paths: ['*/todo/*', '*/tasks*'], act: changeTasks }),
  team,
  chat,
  part('settings', {}, { paths: SETTINGS_PATHS, act: changeSettings }),
];
