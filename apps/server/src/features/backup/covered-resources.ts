import type { ChannelReference, JobSource } from '@holdfast/contract/jobs';
import type { Workload } from '@holdfast/contract/values';
import { graphOutcome, isGraphError, outcomeOfCode, type GraphClient, type GraphErrorCode } from '@holdfast/m365';
import type { FoundResource } from '../../storage/catalog/resources.store.ts';
import { coveredTeams } from './team-sources.ts';

interface Person {
  readonly id: string;
  readonly name: string;
  readonly address: string;
}

/** Why somebody who was chosen is not protected: the job itself excludes them, or Microsoft 365 has nothing of theirs. */
export type NotCoveredCode = GraphErrorCode | 'coverage.excluded-by-job';

/** Something that was chosen and can't be protected, with the code that says why. */
export interface NotCovered {
  readonly graphId: string;
  readonly name: string;
  readonly address: string;
  readonly code: NotCoveredCode;
}

/** Whether it is meant, or lasting, that this is not protected: nothing of the run is missing then. */
export function isMeant({ code }: NotCovered): boolean {
  return code === 'coverage.excluded-by-job' || outcomeOfCode(code) === 'exclude';
}

/** What a job covers now. `isComplete` when it named everything of its workload. */
export interface Coverage {
  readonly resources: readonly FoundResource[];
  readonly notCovered: readonly NotCovered[];
  readonly isComplete: boolean;
  /** Things of the workload that are there and were excluded. */
  readonly spared: readonly string[];
  /** The people who were looked for by what is theirs; empty where the things themselves were listed. */
  readonly askedFor: readonly string[];
  readonly everybodyAskedFor: boolean;
  /** Teams of which only single channels are covered, with these. */
  readonly channels?: ReadonlyMap<string, readonly ChannelReference[]>;
}

/** Things that were listed as they are: nobody can be without one. */
const listed = { notCovered: [], askedFor: [], everybodyAskedFor: false, spared: [] } as const;

interface DirectoryUser {
  /** Members of a group may be groups, devices and apps too. */
  readonly '@odata.type'?: string | null | undefined;
  readonly id?: string | null | undefined;
  readonly displayName?: string | null | undefined;
  readonly mail?: string | null | undefined;
  readonly userPrincipalName?: string | null | undefined;
  readonly userType?: string | null | undefined;
}

function personOf(user: DirectoryUser): Person | undefined {
  const isPerson = (user['@odata.type'] ?? '#microsoft.graph.user') === '#microsoft.graph.user';
  if (!isPerson || typeof user.id !== 'string' || user.userType === 'Guest') return undefined;
  const address = user.mail ?? user.userPrincipalName ?? '';
  return { id: user.id, name: user.displayName ?? address, address };
}

async function* everyone(graph: GraphClient): AsyncGenerator<Person, void, undefined> {
  for await (const user of graph.directory.users()) {
    const person = personOf(user);
    if (person) yield person;
  }
}

/** The members that a group and the groups in it have now, as they are listed. */
async function* membersOf(graph: GraphClient, groupId: string): AsyncGenerator<Person, void, undefined> {
  for await (const member of graph.directory.groupMembers({ groupId })) {
    const person = personOf(member);
    if (person) yield person;
  }
}

/**
 * Who a job excludes now: by name, or as a member that a group has today. Whom a group excludes has to be known before
 * anybody is read: a fault here ends the run. A group that is not there, any more or ever, excludes nobody.
 */
async function excludedOf(graph: GraphClient, source: JobSource, chosen: ReadonlyMap<string, Person>): Promise<ReadonlySet<string>> {
  const ids = new Set(source.excluded.map(({ id }) => id));
  // A reference does not say what it is of; whom the directory has just named is a person.
  for (const { id } of source.excluded) {
    if (chosen.has(id)) continue;
    try {
      for await (const member of membersOf(graph, id)) ids.add(member.id);
    } catch (error) {
      if (!isGraphError(error, 'graph.resource-gone', 'graph.item-gone')) throw error;
    }
  }
  return ids;
}

interface People {
  readonly people: ReadonlyMap<string, Person>;
  /** Chosen, and excluded all the same; groups that are not there any more, or that could not be read. */
  readonly notCovered: readonly NotCovered[];
}

/**
 * Somebody or a group that could not be looked up, which ends nothing for the others: they have left, have nothing, may not
 * be read, or the service had a fault that lasted. Throws what is of the whole tenant.
 */
function notFound({ id: graphId, name, address }: Person, error: unknown): NotCovered {
  if (!isGraphError(error) || graphOutcome(error) === 'tenant') throw error;
  return { graphId, name, address, code: error.code === 'graph.item-gone' ? 'graph.resource-gone' : error.code };
}

/** The people of a job: all, or those chosen and the members that its groups have today, without those it excludes. */
async function peopleOf(graph: GraphClient, source: JobSource): Promise<People> {
  const people = new Map<string, Person>();
  const notCovered: NotCovered[] = [];
  if (source.everyone) {
    for await (const person of everyone(graph)) people.set(person.id, person);
  }
  for (const user of source.users) people.set(user.id, { id: user.id, name: user.name, address: user.address });
  for (const group of source.groups) {
    try {
      for await (const person of membersOf(graph, group.id)) people.set(person.id, person);
    } catch (error) {
      notCovered.push(notFound(group, error));
    }
  }
  for (const id of await excludedOf(graph, source, people)) {
    const person = people.get(id);
    if (person) notCovered.push({ graphId: id, name: person.name, address: person.address, code: 'coverage.excluded-by-job' });
    people.delete(id);
  }
  return { people, notCovered };
}

/** Whose things a run has looked for, those included whom it does not cover. */
function askedFor({ people, notCovered }: People): readonly string[] {
  return [...people.keys(), ...notCovered.map(({ graphId }) => graphId)];
}

async function mailboxes(graph: GraphClient, source: JobSource): Promise<Coverage> {
  const resources: FoundResource[] = [];
  const found = await peopleOf(graph, source);
  for (const person of found.people.values()) {
    resources.push({ kind: 'mailbox', workload: 'exchange', graphId: person.id, name: person.name, address: person.address });
  }
  const { notCovered } = found;
  const spared = notCovered.map(({ graphId }) => graphId);
  return { resources, notCovered, spared, isComplete: source.everyone, askedFor: askedFor(found), everybodyAskedFor: source.everyone };
}

async function personalDrives(graph: GraphClient, source: JobSource): Promise<Coverage> {
  const resources: FoundResource[] = [];
  const found = await peopleOf(graph, source);
  const notCovered: NotCovered[] = [...found.notCovered];
  for (const person of found.people.values()) {
    try {
      const drive = await graph.drives.userDrive({ userId: person.id });
      if (typeof drive.id === 'string') {
        resources.push({ kind: 'drive', workload: 'onedrive', graphId: drive.id, name: person.name, address: person.address });
      }
    } catch (error) {
      notCovered.push(notFound(person, error));
    }
  }
  // Whoever has no OneDrive hides none; whoever is excluded or could not be asked may have one that this did not list.
  const isComplete = source.everyone && notCovered.every(({ code }) => code === 'graph.drive-missing');
  return { ...listed, resources, notCovered, isComplete, askedFor: askedFor(found), everybodyAskedFor: source.everyone };
}

async function sites(graph: GraphClient, source: JobSource): Promise<Coverage> {
  const found = new Map<string, FoundResource>();
  const add = (site: { readonly id: string; readonly name: string; readonly address: string }): void => {
    found.set(site.id, { kind: 'site', workload: 'sharepoint', graphId: site.id, name: site.name, address: site.address });
  };
  if (source.everyone) {
    for await (const site of graph.sites.allSites()) {
      if (typeof site.id === 'string') add({ id: site.id, name: site.displayName ?? site.name ?? '', address: site.webUrl ?? '' });
    }
  }
  for (const site of source.sites) add(site);
  for (const excluded of source.excluded) found.delete(excluded.id);
  const spared = source.excluded.map(({ id }) => id);
  return { ...listed, resources: [...found.values()], spared, isComplete: source.everyone };
}

async function teams(graph: GraphClient, source: JobSource): Promise<Coverage> {
  const found = await coveredTeams(graph, source);
  const { channels } = found;
  const resources = Array.from(found.teams.values(), ({ id, name, address }): FoundResource => ({
    kind: 'team',
    workload: 'teams',
    graphId: id,
    name,
    address,
  }));
  if (!source.options.chats) return { ...listed, resources, channels, isComplete: false };
  const withChats = await chats(graph, source);
  // Chats of the excluded are there and were not looked for; those of whoever could not be asked for may be.
  const isComplete = source.everyone && source.excluded.length === 0 && withChats.notCovered.length === 0;
  return { ...withChats, resources: [...resources, ...withChats.resources], channels, isComplete };
}

/** One resource a chat, whoever of its members it was found by. Groups are teams here: leaving one out leaves its members' chats in. */
async function chats(graph: GraphClient, source: JobSource): Promise<Omit<Coverage, 'isComplete'>> {
  const resources = new Map<string, FoundResource>();
  const notCovered: NotCovered[] = [];
  const excluded = new Set(source.excluded.map(({ id }) => id));
  const found = await peopleOf(graph, { ...source, groups: [], excluded: [] });
  for (const person of found.people.values()) {
    if (excluded.has(person.id)) continue;
    try {
      for await (const chat of graph.chats.chats({ userId: person.id })) {
        if (typeof chat.id !== 'string' || resources.has(chat.id)) continue;
        const members = (chat.members ?? []).flatMap((member) => member.displayName ?? []);
        const name = chat.topic ?? members.join(', ');
        resources.set(chat.id, { kind: 'chat', workload: 'teams', graphId: chat.id, name: name === '' ? chat.id : name, address: '' });
      }
    } catch (error) {
      notCovered.push(notFound(person, error));
    }
  }
  const asked = { askedFor: askedFor(found), everybodyAskedFor: source.everyone };
  return { ...listed, ...asked, resources: [...resources.values()], notCovered };
}

/** Finds what a job covers, live from Microsoft 365: newcomers are in, who has left is out. */
export function coveredResources(graph: GraphClient, workload: Workload, source: JobSource): Promise<Coverage> {
  switch (workload) {
    case 'exchange':
      return mailboxes(graph, source);
    case 'onedrive':
      return personalDrives(graph, source);
    case 'sharepoint':
      return sites(graph, source);
    case 'teams':
      return teams(graph, source);
  }
}
