import type { Feed } from './feed.ts';
import { type ChangeLog, createChangeLog, noteChange } from './change-log.ts';
import type { Store } from './store.ts';
import type { DeletedPerson, Directory, Group, Person } from './directory.ts';
import { generateGroups, generatePeople, type PeopleSource } from './generate-people.ts';

interface DirectoryState {
  readonly people: Map<string, Person>;
  readonly groups: Map<string, Group>;
  readonly deleted: Map<string, DeletedPerson>;
  /** User principal name in lower case → id. */
  readonly names: Map<string, string>;
  readonly userLog: ChangeLog;
  readonly groupLog: ChangeLog;
  /** Ids in the order of creation; those of removed ones stay as holes. */
  readonly userOrder: string[];
  readonly groupOrder: string[];
}

function generate(source: PeopleSource): DirectoryState {
  const people = generatePeople(source);
  const groups = generateGroups(source, people);
  return {
    people: new Map(people.map((person) => [person.id, person])),
    groups: new Map(groups.map((group) => [group.id, group])),
    deleted: new Map(),
    names: new Map(people.map((person) => [person.userPrincipalName.toLowerCase(), person.id])),
    userLog: createChangeLog(),
    groupLog: createChangeLog(),
    userOrder: people.map((person) => person.id),
    groupOrder: groups.map((group) => group.id),
  };
}

function feedOf<Item>(order: readonly string[], items: ReadonlyMap<string, Item>, log: ChangeLog): Feed<Item> {
  return { size: order.length, at: (position) => items.get(order[position] ?? ''), log, current: (id) => items.get(id) };
}

/** The directory of a tenant: generated once from recipe and seed, then state like any other. */
export function createDirectory(store: Store, source: PeopleSource): Directory {
  const state = (): DirectoryState => store.state('directory', () => generate(source));
  let generated: readonly Person[] | undefined;
  return Object.freeze({
    domain: `${source.recipe.label}.com`,
    label: source.recipe.label,
    users: () => [...state().people.values()],
    groups: () => [...state().groups.values()],
    generated: () => (generated ??= generatePeople(source)),
    user(idOrName: string) {
      const key = idOrName.toLowerCase();
      const { people, names } = state();
      return people.get(key) ?? people.get(names.get(key) ?? '');
    },
    group: (id: string) => state().groups.get(id.toLowerCase()),
    putUser(person: Person) {
      const { people, names, deleted, userLog, userOrder } = state();
      deleted.delete(person.id);
      if (!userOrder.includes(person.id)) userOrder.push(person.id);
      people.set(person.id, person);
      names.set(person.userPrincipalName.toLowerCase(), person.id);
      noteChange(userLog, person.id);
    },
    putGroup(group: Group) {
      const { groups, groupLog, groupOrder } = state();
      if (!groupOrder.includes(group.id)) groupOrder.push(group.id);
      groups.set(group.id, group);
      noteChange(groupLog, group.id);
    },
    removeUser(id: string, deletedMs?: number) {
      const { people, names, deleted, userLog } = state();
      const person = people.get(id);
      if (!person) return;
      names.delete(person.userPrincipalName.toLowerCase());
      people.delete(id);
      if (deletedMs !== undefined) deleted.set(id, { person, deletedMs });
      noteChange(userLog, id);
    },
    deletedUsers: () => [...state().deleted.values()],
    removeGroup(id: string) {
      if (state().groups.delete(id)) noteChange(state().groupLog, id);
    },
    userFeed: () => feedOf(state().userOrder, state().people, state().userLog),
    groupFeed: () => feedOf(state().groupOrder, state().groups, state().groupLog),
  });
}
