import type { Random } from '@holdfast/foundation/random';
import { badRequest, notFound } from '../http/failure.ts';
import { type JsonObject, textOf } from '../http/json.ts';
import type { Tenant } from '../state/tenant.ts';
import type { Activity, Workload } from '../state/workload.ts';
import { departments } from '../content/names.ts';
import { pick } from '../content/seeded.ts';
import type { Person } from './directory.ts';
import { directoryRoutes } from './directory-routes.ts';
import { photoRoutes } from './photo-routes.ts';

const CHANGEABLE = ['displayName', 'department', 'jobTitle', 'accountEnabled', 'hasMailbox', 'hasDrive', 'isClosed', 'mail'] as const;

function require(tenant: Tenant, input: JsonObject): Person {
  const person = typeof input['user'] === 'string' ? tenant.directory.user(input['user']) : undefined;
  if (!person) throw notFound('directory', `There is no user ${textOf(input['user'])}.`);
  return person;
}

function change(tenant: Tenant, input: JsonObject): JsonObject {
  const person = require(tenant, input);
  const changes = Object.fromEntries(CHANGEABLE.filter((name) => input[name] !== undefined).map((name) => [name, input[name]]));
  const wrong = Object.entries(changes).find(([name, value]) => typeof value !== typeof person[name as keyof Person]);
  if (wrong) throw badRequest('directory', `The field ${wrong[0]} has the wrong type.`);
  tenant.directory.putUser({ ...person, ...changes });
  return { id: person.id };
}

const activities: readonly Activity[] = [
  { name: 'directory.changeUser', run: change },
  {
    name: 'directory.removeUser',
    run(tenant, input) {
      const person = require(tenant, input);
      tenant.directory.removeUser(person.id);
      return { id: person.id };
    },
  },
  {
    name: 'directory.leaveGroup',
    run(tenant, input) {
      const person = require(tenant, input);
      const group = tenant.directory.group(textOf(input['group']));
      if (!group) throw notFound('directory', `There is no group ${textOf(input['group'])}.`);
      tenant.directory.putGroup({ ...group, memberIds: group.memberIds.filter((id) => id !== person.id) });
      return { id: person.id };
    },
  },
];

function playDay(tenant: Tenant, random: Random): Readonly<Record<string, number>> {
  const members = tenant.directory.users().filter((person) => person.kind === 'member');
  if (members.length === 0) return { 'directory.changeUser': 0 };
  const person = pick(random, members);
  tenant.directory.putUser({ ...person, department: pick(random, departments[person.language]) });
  return { 'directory.changeUser': 1 };
}

/** Accounts, groups, organisation, pictures. */
export const directoryWorkload: Workload = {
  name: 'directory',
  routes: [...directoryRoutes, ...photoRoutes],
  truth: [],
  activities,
  playDay,
};
