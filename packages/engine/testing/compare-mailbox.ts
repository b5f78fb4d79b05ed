import { sha256Hex } from '@holdfast/foundation/bytes';
import type { TruthRecord } from '@holdfast/m365-simulator';
import { textOf } from '../src/pipeline/text.ts';
import type { Resource } from '../src/ports/item.ts';
import { factOf, openItems, picked, type Facts } from './facts.ts';
import type { Rig } from './rig.ts';

type Values = Readonly<Record<string, unknown>>;
/** A part of a mailbox beside its mail. */
export type MailboxPart = 'calendars' | 'contacts' | 'tasks' | 'settings';

const EVENT = ['subject', 'categories', 'isAllDay', 'showAs', 'recurrence', 'attendees'];
const CONTACT =
  'displayName,givenName,surname,fileAs,companyName,emailAddresses,businessPhones,mobilePhone,birthday,personalNotes,categories'.split(',');
const TASK = ['title', 'status', 'importance', 'categories', 'dueDateTime', 'completedDateTime', 'body'];
const DEFAULT_CONTACTS = ['Kontakte', 'Contacts'];

function textIn(value: unknown, name: string): string {
  return textOf((value as Values | null | undefined)?.[name]);
}

function ms(value: unknown): number {
  const time = textIn(value, 'dateTime');
  return Date.parse(`${time}${/Z|[+-]\d\d:\d\d$/u.test(time) ? '' : 'Z'}`);
}

/** Everything of a list but what only an answer says of it. */
function plain(list: unknown, names: readonly string[]): readonly object[] {
  return ((list ?? []) as readonly object[]).map((one) => picked(one, names));
}

function eventOfTruth({ path, metadata }: TruthRecord): object {
  const { body, location, occurrences, exceptions, attachments } = metadata as Values;
  const [first] = occurrences as readonly { readonly start: string; readonly end: string }[];
  const changed = Object.values(exceptions as Readonly<Record<string, Values | null>>);
  return {
    ...picked({ isAllDay: false, showAs: 'busy', ...metadata }, EVENT),
    path,
    text: textIn(body, 'content'),
    place: textIn(location, 'displayName'),
    times: [Date.parse(first?.start ?? ''), Date.parse(first?.end ?? '')],
    cancelled: changed.filter((one) => one === null).length,
    moved: changed.flatMap((one) => (one === null ? [] : [String(one['subject'])])).toSorted(),
    files: (attachments as readonly { readonly name: string }[]).map(({ name }) => name).toSorted(),
  };
}

async function eventsOfVault({ of, json, parentName }: Awaited<ReturnType<typeof openItems>>): Promise<Facts> {
  const facts: Facts = new Map();
  for (const item of of('event')) {
    const event = ((await json(item, 'export')) ?? {}) as Values;
    const { body, location, start, end, cancelledOccurrences, exceptionOccurrences } = event;
    const moved = (exceptionOccurrences ?? []) as readonly Values[];
    const says = {
      ...picked(event, EVENT),
      path: parentName(item),
      text: textIn(body, 'content'),
      place: textIn(location, 'displayName'),
      times: [ms(start), ms(end)],
      cancelled: ((cancelledOccurrences ?? []) as readonly unknown[]).length,
      moved: moved.map(({ subject }) => String(subject)).toSorted(),
      files: item.contents.flatMap(({ role, label }) => (role === 'attachment' ? [label ?? ''] : [])).toSorted(),
    };
    facts.set(item.key, factOf(says));
  }
  return facts;
}

function contactOfTruth({ path, metadata }: TruthRecord): object {
  const { photoSha256 } = metadata as Values;
  return {
    ...picked(metadata, CONTACT),
    path: DEFAULT_CONTACTS.includes(path) ? '' : path,
    photos: typeof photoSha256 === 'string' ? [photoSha256] : [],
  };
}

async function contactsOfVault({ of, json, hashes, parentName }: Awaited<ReturnType<typeof openItems>>): Promise<Facts> {
  const facts: Facts = new Map();
  for (const item of of('contact')) {
    const path = parentName(item);
    const says = {
      ...picked(await json(item, 'export'), CONTACT),
      path: DEFAULT_CONTACTS.includes(path) ? '' : path,
      photos: await hashes(item, 'photo'),
    };
    facts.set(item.key, factOf(says));
  }
  return facts;
}

function taskParts({ checklistItems, linkedResources }: Values): object {
  const steps = plain(checklistItems, ['displayName', 'isChecked']);
  return { steps, links: plain(linkedResources, ['webUrl', 'applicationName', 'displayName', 'externalId']) };
}

function taskOfTruth({ path, metadata }: TruthRecord): object {
  const files = ((metadata as Values)['attachments'] ?? []) as readonly { readonly contentBytes: string }[];
  const hashes = files.map(({ contentBytes }) => sha256Hex(Buffer.from(contentBytes, 'base64'))).toSorted();
  return { ...picked(metadata, TASK), ...taskParts(metadata), path, files: hashes };
}

async function tasksOfVault({ of, json, hashes, parentName }: Awaited<ReturnType<typeof openItems>>): Promise<Facts> {
  const facts: Facts = new Map();
  for (const item of of('task')) {
    const task = ((await json(item, 'export')) ?? {}) as Values;
    const says = { ...picked(task, TASK), ...taskParts(task), path: parentName(item), files: await hashes(item, 'attachment') };
    facts.set(item.key, factOf(says));
  }
  return facts;
}

const SETTINGS_KEYS = { mailboxSettings: 'settings:mailbox', rule: 'settings:rules', category: 'settings:categories' } as const;

function settingsOfTruth({ metadata }: TruthRecord): object {
  const { id: _id, ...rest } = metadata;
  return picked(rest, Object.keys(rest));
}

async function settingsOfVault({ of }: Awaited<ReturnType<typeof openItems>>): Promise<Facts> {
  const facts: Facts = new Map();
  for (const item of of('mailboxSettings', 'rule', 'category')) {
    const { properties, name } = item;
    const says = item.kind === 'category' ? { ...properties, displayName: name } : properties;
    facts.set(item.key, factOf(picked(says, Object.keys(says))));
  }
  return facts;
}

const PARTS = {
  calendars: { truth: 'calendar', area: 'calendars', wanted: eventOfTruth, found: eventsOfVault },
  contacts: { truth: 'contacts', area: 'contacts', wanted: contactOfTruth, found: contactsOfVault },
  tasks: { truth: 'todo', area: 'tasks', wanted: taskOfTruth, found: tasksOfVault },
  settings: { truth: 'settings', area: 'settings', wanted: settingsOfTruth, found: settingsOfVault },
} as const;

function keyOf({ kind, id }: TruthRecord): string {
  if (kind === 'mailboxSettings') return SETTINGS_KEYS.mailboxSettings;
  return kind === 'rule' || kind === 'category' ? `${kind}:${id}` : id;
}

/** What the simulator's own record says of a part of a mailbox. */
export async function mailboxOfTruth(rig: Rig, part: MailboxPart, owner: string): Promise<Facts> {
  const { truth, area, wanted } = PARTS[part];
  const within = ({ kind, path }: TruthRecord): readonly string[] => {
    const list = SETTINGS_KEYS[kind as keyof typeof SETTINGS_KEYS];
    const folder = `contactFolder:${DEFAULT_CONTACTS.includes(path) ? 'Contacts' : path}`;
    const place = path.slice(path.lastIndexOf('/') + 1);
    const places = { calendars: [`calendar:${place}`], tasks: [`taskList:${place}`], contacts: [folder], settings: [] }[part];
    return [`unread:area:${area}`, ...(list ? [list] : []), ...places];
  };
  return new Map((await rig.truth(truth, owner)).map((record) => [keyOf(record), factOf(wanted(record), within(record))]));
}

/** What the vault has of it. */
export async function mailboxOfVault(rig: Rig, part: MailboxPart, resource: Resource): Promise<Facts> {
  return PARTS[part].found(await openItems(rig, resource));
}
