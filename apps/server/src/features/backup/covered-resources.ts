import type { JobSource } from '@holdfast/contract/jobs';
import type { Workload } from '@holdfast/contract/values';
import { graphOutcome, isGraphError, type GraphClient, type GraphErrorCode } from '@holdfast/m365';
import type { FoundResource } from './resources.store.ts';

interface Person {
  readonly id: string;
  readonly name: string;
  readonly address: string;
}

/** Something that was chosen and can't be protected, with the code that says why. */
export interface NotCovered {
  readonly graphId: string;
  readonly name: string;
  readonly address: string;
  readonly code: GraphErrorCode;
}

/** What a job covers now. `isComplete` when it named everything of its workload. */
export interface Coverage {
  readonly resources: readonly FoundResource[];
  readonly notCovered: readonly NotCovered[];
  readonly isComplete: boolean;
  /** The people who were looked for by what is theirs; empty where the things themselves were listed. */
  readonly askedFor: readonly string[];
  readonly everybodyAskedFor: boolean;
}

/** Things that were listed as they are: nobody can be without one. */
const listed = { notCovered: [], askedFor: [], everybodyAskedFor: false } as const;

interface DirectoryUser {
  readonly id?: string | null | undefined;
  readonly displayName?: string | null | undefined;
  readonly mail?: string | null | undefined;
  readonly userPrincipalName?: string | null | undefined;
  readonly userType?: string | null | undefined;
}

function personOf(user: DirectoryUser): Person | undefined {
  if (typeof user.id !== 'string' || user.userType === 'Guest') return undefined;
  const address = user.mail ?? user.userPrincipalName ?? '';
  return { id: user.id, name: user.displayName ?? address, address };
}

async function* everyone(graph: GraphClient): AsyncGenerator<Person, void, undefined> {
  for await (const user of graph.directory.users()) {
    const person = personOf(user);
    if (person) yield person;
  }
}

/** The people of a job: all, or those chosen and the members that its groups have today. */
async function peopleOf(graph: GraphClient, source: JobSource): Promise<Map<string, Person>> {
  const people = new Map<string, Person>();
  if (source.everyone) {
    for await (const person of everyone(graph)) people.set(person.id, person);
  }
  for (const user of source.users) people.set(user.id, { id: user.id, name: user.name, address: user.address });
  for (const group of source.groups) {
    for await (const member of graph.directory.groupMembers({ groupId: group.id })) {
      const person = personOf(member);
      if (person) people.set(person.id, person);
    }
  }
  for (const excluded of source.excluded) people.delete(excluded.id);
  return people;
}

async function mailboxes(graph: GraphClient, source: JobSource): Promise<Coverage> {
  const resources: FoundResource[] = [];
  for (const person of (await peopleOf(graph, source)).values()) {
    resources.push({ kind: 'mailbox', workload: 'exchange', graphId: person.id, name: person.name, address: person.address });
  }
  return { ...listed, resources, isComplete: source.everyone };
}

async function personalDrives(graph: GraphClient, source: JobSource): Promise<Coverage> {
  const resources: FoundResource[] = [];
  const notCovered: NotCovered[] = [];
  const people = await peopleOf(graph, source);
  for (const person of people.values()) {
    try {
      const drive = await graph.drives.userDrive({ userId: person.id });
      if (typeof drive.id === 'string') {
        resources.push({ kind: 'drive', workload: 'onedrive', graphId: drive.id, name: person.name, address: person.address });
      }
    } catch (error) {
      const outcome = graphOutcome(error);
      if (!isGraphError(error) || outcome === 'tenant' || outcome === 'retry') throw error;
      notCovered.push({ graphId: person.id, name: person.name, address: person.address, code: error.code });
    }
  }
  const isComplete = source.everyone && notCovered.length === 0;
  return { resources, notCovered, isComplete, askedFor: [...people.keys()], everybodyAskedFor: source.everyone };
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
  return { ...listed, resources: [...found.values()], isComplete: source.everyone };
}

async function teams(graph: GraphClient, source: JobSource): Promise<Coverage> {
  const found = new Map<string, FoundResource>();
  const add = (team: { readonly id: string; readonly name: string; readonly address: string }): void => {
    found.set(team.id, { kind: 'team', workload: 'teams', graphId: team.id, name: team.name, address: team.address });
  };
  if (source.everyone) {
    for await (const group of graph.directory.groups({ teamsOnly: true })) {
      if (typeof group.id === 'string') add({ id: group.id, name: group.displayName ?? '', address: group.mail ?? '' });
    }
  }
  for (const team of [...source.teams, ...source.groups]) add(team);
  for (const excluded of source.excluded) found.delete(excluded.id);
  const withChats = source.options.chats ? await chats(graph, source) : [];
  return { ...listed, resources: [...found.values(), ...withChats], isComplete: source.everyone && source.options.chats };
}

/** One resource a chat, whoever of its members it was found by. */
async function chats(graph: GraphClient, source: JobSource): Promise<FoundResource[]> {
  const found = new Map<string, FoundResource>();
  for (const person of (await peopleOf(graph, { ...source, groups: [] })).values()) {
    for await (const chat of graph.chats.chats({ userId: person.id })) {
      if (typeof chat.id !== 'string' || found.has(chat.id)) continue;
      const members = (chat.members ?? []).flatMap((member) => member.displayName ?? []);
      const name = chat.topic ?? members.join(', ');
      found.set(chat.id, { kind: 'chat', workload: 'teams', graphId: chat.id, name: name === '' ? chat.id : name, address: '' });
    }
  }
  return [...found.values()];
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
