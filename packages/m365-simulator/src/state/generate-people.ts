import { addressName, departments, firstNames, jobTitles, lastNames, partners } from '../values/names.ts';
import { between, guidOf, pick, randomOf } from '../values/seeded.ts';
import type { Recipe } from './recipe.ts';
import type { Group, Language, Person } from './directory.ts';

const DAY_MS = 86_400_000;

export interface PeopleSource {
  readonly recipe: Recipe;
  readonly seed: number;
  readonly epochMs: number;
}

function baseOf(source: PeopleSource, kind: Person['kind'], index: number): Pick<Person, 'id' | 'kind' | 'createdMs'> {
  const random = randomOf({ seed: source.seed, kind: 'created', owner: kind, index });
  const days = Math.round(source.recipe.mail.years * 365) + between(random, 10, 200);
  return { id: guidOf(source.seed, kind, index), kind, createdMs: source.epochMs - days * DAY_MS };
}

function member(source: PeopleSource, index: number, taken: Set<string>): Person {
  const { recipe, seed } = source;
  const random = randomOf({ seed, kind: 'person', owner: recipe.label, index });
  const language: Language = random.next() < recipe.people.germanShare ? 'de' : 'en';
  const givenName = pick(random, firstNames[language]);
  const surname = pick(random, lastNames[language]);
  const plain = `${addressName(givenName)}.${addressName(surname)}`;
  const alias = taken.has(plain) ? `${plain}${index}` : plain;
  taken.add(alias);
  const address = `${alias}@${recipe.label}.com`;
  const oddity = recipe.hasOddities ? recipe.people.members - 1 - index : -1;
  return {
    ...baseOf(source, 'member', index),
    displayName: `${givenName} ${surname}`,
    givenName,
    surname,
    userPrincipalName: address,
    mail: address,
    language,
    department: departments[language][random.below(departments.en.length)] ?? '',
    jobTitle: pick(random, jobTitles[language]),
    timeZone: language === 'de' ? 'W. Europe Standard Time' : 'GMT Standard Time',
    accountEnabled: true,
    hasMailbox: oddity !== 0,
    hasDrive: oddity !== 0 && oddity !== 1,
    isClosed: oddity === 2,
  };
}

function guest(source: PeopleSource, index: number): Person {
  const { recipe, seed } = source;
  const random = randomOf({ seed, kind: 'guest', owner: recipe.label, index });
  const [company, domain] = pick(random, partners);
  const givenName = pick(random, firstNames.en);
  const surname = pick(random, lastNames.en);
  const mail = `${addressName(givenName)}.${addressName(surname)}@${domain}`;
  return {
    ...baseOf(source, 'guest', index),
    displayName: `${givenName} ${surname} (${company})`,
    givenName,
    surname,
    userPrincipalName: `${mail.replace('@', '_')}#EXT#@${recipe.label}.onmicrosoft.com`,
    mail,
    language: 'en',
    department: '',
    jobTitle: '',
    timeZone: 'UTC',
    accountEnabled: true,
    hasMailbox: false,
    hasDrive: false,
    isClosed: false,
  };
}

const SHARED = ['Info', 'Bewerbung', 'Support', 'Rechnung', 'Press', 'Orders'];
const ROOMS = ['Room Berlin', 'Room London', 'Besprechung Hamburg', 'Raum Wien', 'Room Oslo'];

function resource(source: PeopleSource, kind: 'shared' | 'room', index: number): Person {
  const names = kind === 'shared' ? SHARED : ROOMS;
  const round = Math.floor(index / names.length);
  const displayName = `${names[index % names.length] ?? kind}${round > 0 ? ` ${round + 1}` : ''}`;
  const address = `${addressName(displayName)}@${source.recipe.label}.com`;
  return {
    ...baseOf(source, kind, index),
    displayName,
    givenName: '',
    surname: '',
    userPrincipalName: address,
    mail: address,
    language: 'de',
    department: '',
    jobTitle: '',
    timeZone: 'W. Europe Standard Time',
    accountEnabled: false,
    hasMailbox: true,
    hasDrive: false,
    isClosed: false,
  };
}

/** All accounts of a tenant: members first, then guests, shared mailboxes and rooms. */
export function generatePeople(source: PeopleSource): Person[] {
  const { people } = source.recipe;
  const taken = new Set<string>();
  return [
    ...Array.from({ length: people.members }, (_, index) => member(source, index, taken)),
    ...Array.from({ length: people.guests }, (_, index) => guest(source, index)),
    ...Array.from({ length: people.sharedMailboxes }, (_, index) => resource(source, 'shared', index)),
    ...Array.from({ length: people.rooms }, (_, index) => resource(source, 'room', index)),
  ];
}

/** Id and first members of the team `index` of the recipe, whatever became of it since. */
export function seededTeam({ recipe, seed }: Pick<PeopleSource, 'recipe' | 'seed'>, index: number): { id: string; memberIds: string[] } {
  const team = recipe.teams[index];
  const owner = team?.displayName ?? '';
  const people = recipe.people.members;
  const start = randomOf({ seed, kind: 'group', owner, index }).below(Math.max(1, people));
  const count = Math.min(team?.members ?? 0, people);
  const memberIds = Array.from({ length: count }, (_, place) => guidOf(seed, 'member', (start + place) % people));
  return { id: guidOf(seed, 'group', owner, index), memberIds };
}

/** The id of somebody who has left. */
export function leaver(seed: number): string {
  return guidOf(seed, 'leaver', 0);
}

/** A group behind each team, and one security group of everybody. */
export function generateGroups(source: PeopleSource, people: readonly Person[]): Group[] {
  const members = people.filter((person) => person.kind === 'member');
  const guests = people.filter((person) => person.kind === 'guest').map((person) => person.id);
  const teams = source.recipe.teams.map((team, index): Group => {
    const { id, memberIds } = seededTeam(source, index);
    return {
      id,
      displayName: team.displayName,
      description: `${team.displayName}, ${source.recipe.displayName}`,
      mailNickname: addressName(team.displayName).replaceAll('.', ''),
      kind: 'unified',
      isTeam: true,
      visibility: index % 2 === 0 ? 'Private' : 'Public',
      ownerIds: team.isOwnerless === true ? [leaver(source.seed)] : memberIds.slice(0, 2),
      memberIds: [...memberIds, ...guests.slice(0, team.guests ?? 0)],
      createdMs: source.epochMs - (300 + index * 17) * DAY_MS,
    };
  });
  const everybody: Group = {
    id: guidOf(source.seed, 'group', 'everybody'),
    displayName: 'All employees',
    description: 'Everybody who works here',
    mailNickname: 'all',
    kind: 'security',
    isTeam: false,
    visibility: 'Private',
    ownerIds: members.slice(0, 1).map((person) => person.id),
    memberIds: members.map((person) => person.id),
    createdMs: source.epochMs - 1000 * DAY_MS,
  };
  return [...teams, everybody];
}
