import type { Random } from '@holdfast/foundation/random';
import { badRequest, notFound } from '../http/failure.ts';
import { isJsonObject, type JsonObject, textOf } from '../values/json.ts';
import type { Tenant } from '../state/tenant.ts';
import type { Activity, Workload } from '../http/workload.ts';
import { departments } from '../values/names.ts';
import { guidOf, pick } from '../values/seeded.ts';
import type { Group, Person } from '../state/directory.ts';
import { directoryRoutes } from './directory-routes.ts';
import { photoRoutes } from './photo-routes.ts';

const CHANGEABLE = ['displayName', 'department', 'jobTitle', 'accountEnabled', 'hasMailbox', 'hasDrive', 'isClosed', 'mail'] as const;
/** Texts that an account need not have. */
const WORKPLACE = ['officeLocation', 'country', 'companyName'] as const;

function require(tenant: Tenant, input: JsonObject): Person {
  const person = typeof input['user'] === 'string' ? tenant.directory.user(input['user']) : undefined;
  if (!person) throw notFound('directory', `There is no user ${textOf(input['user'])}.`);
  return person;
}

function requireGroup(tenant: Tenant, id: unknown): Group {
  const group = typeof id === 'string' ? tenant.directory.group(id) : undefined;
  if (!group) throw notFound('directory', `There is no group ${textOf(id)}.`);
  return group;
}

/** A security group without anybody in it. */
function createGroup(tenant: Tenant, input: JsonObject): JsonObject {
  const displayName = textOf(input['displayName']);
  const id = guidOf(tenant.seed, 'new-group', String(tenant.directory.groupFeed().size));
  tenant.directory.putGroup({
    id,
    displayName,
    description: '',
    mailNickname: id.slice(0, 8),
    kind: 'security',
    isTeam: false,
    visibility: 'Private',
    ownerIds: [],
    memberIds: [],
    createdMs: tenant.clock.nowMs(),
  });
  return { id };
}

function change(tenant: Tenant, input: JsonObject): JsonObject {
  const person = require(tenant, input);
  const changes = Object.fromEntries(CHANGEABLE.filter((name) => input[name] !== undefined).map((name) => [name, input[name]]));
  const wrong = Object.entries(changes).find(([name, value]) => typeof value !== typeof person[name as keyof Person]);
  if (wrong) throw badRequest('directory', `The field ${wrong[0]} has the wrong type.`);
  const workplace = Object.fromEntries(WORKPLACE.flatMap((name) => (typeof input[name] === 'string' ? [[name, input[name]]] : [])));
  const named = isJsonObject(input['extensionAttributes']) ? Object.entries(input['extensionAttributes']) : [];
  const extensionAttributes = { ...person.extensionAttributes, ...Object.fromEntries(named.map(([name, value]) => [name, textOf(value)])) };
  tenant.directory.putUser({ ...person, ...changes, ...workplace, extensionAttributes });
  return { id: person.id };
}

const activities: readonly Activity[] = [
  { name: 'directory.changeUser', run: change },
  {
    name: 'directory.removeUser',
    run(tenant, input) {
      const person = require(tenant, input);
      // Long ago: the account can not be restored any longer, and the directory does not tell of it.
      tenant.directory.removeUser(person.id, input['forGood'] === true ? undefined : tenant.clock.nowMs());
      return { id: person.id };
    },
  },
  { name: 'directory.createGroup', run: createGroup },
  {
    name: 'directory.joinGroup',
    run(tenant, input) {
      const group = requireGroup(tenant, input['group']);
      const id = typeof input['user'] === 'string' ? require(tenant, input).id : requireGroup(tenant, input['member']).id;
      if (tenant.directory.group(id) && group.kind === 'unified')
        throw badRequest('directory', 'A Microsoft 365 group can not contain groups.');
      tenant.directory.putGroup({ ...group, memberIds: [...new Set([...group.memberIds, id])] });
      return { id };
    },
  },
  {
    name: 'directory.leaveGroup',
    run(tenant, input) {
      const person = require(tenant, input);
      const group = requireGroup(tenant, input['group']);
      tenant.directory.putGroup({ ...group, memberIds: group.memberIds.filter((id) => id !== person.id) });
      return { id: person.id };
    },
  },
  {
    // Nobody is left when the account of the last owner was deleted; taking away the last one is refused to everybody else.
    name: 'directory.changeOwners',
    run(tenant, input) {
      const group = requireGroup(tenant, input['group']);
      const named = Array.isArray(input['owners']) ? input['owners'] : [];
      const ownerIds = named.map((user) => require(tenant, { user }).id);
      tenant.directory.putGroup({ ...group, ownerIds, memberIds: [...new Set([...group.memberIds, ...ownerIds])] });
      return { id: group.id };
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
