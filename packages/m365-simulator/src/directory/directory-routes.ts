import { deltaPage } from '../delta/delta-page.ts';
import { positionsOf } from '../state/feed.ts';
import { listPage } from '../delta/list-page.ts';
import { badRequest, notFound } from '../http/failure.ts';
import { isGuid } from '../http/guid.ts';
import type { JsonObject } from '../values/json.ts';
import { project } from '../http/query.ts';
import { ok, type Reply } from '../http/reply.ts';
import type { Context, RouteEntry } from '../http/route.ts';
import { checkCast, checkDirectoryQuery, directoryCount, type DirectoryList, directoryPage } from './directory-queries.ts';
import type { DeletedPerson, Group, Person } from '../state/directory.ts';
import {
  renderGroup,
  renderOrganisation,
  renderSku,
  renderUser,
  seconds,
  servicePlans,
  SKU_ID,
  USER_DEFAULTS,
} from './render-directory.ts';

/** The account that the path names, or 404. */
export function requirePerson(context: Context, idOrName = context.params[0] ?? ''): Person {
  const person = context.tenant.directory.user(idOrName);
  if (person) return person;
  throw notFound('directory', `Resource '${idOrName}' does not exist or one of its queried reference-property objects are not present.`);
}

/** The group that the path names, or 404. */
export function requireGroup(context: Context, id = context.params[0] ?? ''): Group {
  const group = context.tenant.directory.group(id);
  if (group) return group;
  if (!isGuid(id)) throw badRequest('directory', `Invalid object identifier '${id}'.`);
  throw notFound('directory', `Resource '${id}' does not exist or one of its queried reference-property objects are not present.`);
}

function userOf(person: Person, select: readonly string[] | undefined): JsonObject {
  return project(renderUser(person), select ?? USER_DEFAULTS, []);
}

/** Accounts that can be restored. A list of all kinds of objects is refused: the path has to say which. */
function listDeleted(context: Context): Reply {
  if (context.cast !== 'microsoft.graph.user') throw badRequest('directory', 'Only a list of deleted users is supported.');
  const whole = ({ person, deletedMs }: DeletedPerson): JsonObject => ({ ...renderUser(person), deletedDateTime: seconds(deletedMs) });
  return directoryPage(context, {
    items: positionsOf(context.tenant.directory.deletedUsers()),
    context: 'directoryObjects',
    whole,
    render: (deleted) => project(whole(deleted), context.query.select ?? USER_DEFAULTS, []),
  });
}

type Listed<Item> = Pick<DirectoryList<Item>, 'items' | 'whole'>;

const usersOf = ({ tenant }: Context): Listed<Person> => ({ items: tenant.directory.userFeed(), whole: renderUser });
const groupsOf = ({ tenant }: Context): Listed<Group> => ({
  items: tenant.directory.groupFeed(),
  whole: (group) => renderGroup(tenant, group),
});

function listUsers(context: Context): Reply {
  const render = (person: Person): JsonObject => userOf(person, context.query.select);
  return directoryPage(context, { ...usersOf(context), context: 'users', render });
}

function listGroups(context: Context): Reply {
  const listed = groupsOf(context);
  return directoryPage(context, {
    ...listed,
    context: 'groups',
    render: (group) => project(listed.whole(group), context.query.select, []),
  });
}

function removed(id: string): JsonObject {
  return { id, '@removed': { reason: 'deleted' } };
}

function usersDelta(context: Context): Reply {
  checkDirectoryQuery(context);
  return deltaPage(context, {
    feed: context.tenant.directory.userFeed(),
    resource: 'users',
    context: 'users',
    defaultSize: 100,
    maxSize: 999,
    tokenDays: context.tenant.switches.directoryTokenDays,
    render: (person, query) => project(renderUser(person), query.select ?? USER_DEFAULTS),
    removed,
  });
}

function groupsDelta(context: Context): Reply {
  const { tenant } = context;
  checkDirectoryQuery(context);
  return deltaPage(context, {
    feed: tenant.directory.groupFeed(),
    resource: 'groups',
    context: 'groups',
    defaultSize: 100,
    maxSize: 999,
    tokenDays: tenant.switches.directoryTokenDays,
    render: (group, query) => project(renderGroup(tenant, group), query.select),
    removed,
  });
}

type Member = { readonly person: Person } | { readonly group: Group };

/** What is in a group, and with `isDeep` in the groups in it, each once; groups may be in a circle. */
function membersOf({ tenant }: Context, group: Group, isDeep: boolean): Member[] {
  const { directory } = tenant;
  const seen = new Set([group.id]);
  const open = [group];
  const members: Member[] = [];
  for (let next = open.shift(); next; next = open.shift()) {
    for (const id of next.memberIds) {
      if (seen.has(id)) continue;
      seen.add(id);
      const [person, inner] = [directory.user(id), directory.group(id)];
      if (person) members.push({ person });
      if (inner) members.push({ group: inner });
      if (inner && isDeep) open.push(inner);
    }
  }
  return members;
}

function isCast(member: Member, cast: string | undefined): boolean {
  return cast === undefined || cast.toLowerCase().endsWith('person' in member ? '.user' : '.group');
}

/** The owners of a group who are still in the directory. Microsoft lists no apps as owners. */
function ownersOf({ tenant }: Context, group: Group): Member[] {
  return group.ownerIds.flatMap((id) => {
    const person = tenant.directory.user(id);
    return person ? [{ person }] : [];
  });
}

function listMembers(context: Context, members: readonly Member[]): Reply {
  const { tenant, query, cast } = context;
  checkCast(context);
  const whole = (member: Member): JsonObject => ('person' in member ? renderUser(member.person) : renderGroup(tenant, member.group));
  return directoryPage(context, {
    items: positionsOf(members.filter((member) => isCast(member, cast))),
    context: 'directoryObjects',
    whole,
    render: (member) => {
      const type = 'person' in member ? '#microsoft.graph.user' : '#microsoft.graph.group';
      const entity = whole(member);
      const known = query.select?.filter((name) => name in entity);
      return { '@odata.type': type, ...('person' in member ? userOf(member.person, known) : project(entity, known, [])) };
    },
  });
}

function licenseDetails(context: Context): Reply {
  const person = requirePerson(context);
  const isLicensed = person.kind === 'member' && person.hasMailbox;
  const details = {
    id: Buffer.from(`${person.id}${SKU_ID}`).toString('base64url').slice(0, 43),
    skuId: SKU_ID,
    skuPartNumber: 'ENTERPRISEPREMIUM',
  };
  return listPage(context, {
    items: positionsOf(isLicensed ? [{ ...details, servicePlans: servicePlans() }] : []),
    context: `users('${person.id}')/licenseDetails`,
    defaultSize: 100,
    maxSize: 999,
    render: (entity) => entity,
  });
}

const LIST = ['$select', '$top', '$filter', '$count', '$skip', '$orderby', '$search'];
const COUNT = ['$filter', '$search'];

/** Accounts, groups, organisation and licences. */
export const directoryRoutes: readonly RouteEntry[] = [
  {
    method: 'GET',
    path: '/organization',
    service: 'directory',
    query: ['$select', '$top'],
    handler: (context) =>
      listPage(context, {
        items: positionsOf([renderOrganisation(context.tenant)]),
        context: 'organization',
        defaultSize: 100,
        maxSize: 999,
        render: (entity) => project(entity, context.query.select, []),
      }),
  },
  {
    method: 'GET',
    path: '/subscribedSkus',
    service: 'directory',
    query: ['$select'],
    handler: (context) => {
      const value = [project(renderSku(context.tenant), context.query.select, [])];
      return ok({ '@odata.context': context.links.context('subscribedSkus'), value });
    },
  },
  { method: 'GET', path: '/users', service: 'directory', query: LIST, handler: listUsers },
  {
    method: 'GET',
    path: '/users/$count',
    like: '/users',
    service: 'directory',
    query: COUNT,
    handler: (context) => directoryCount(context, usersOf(context)),
  },
  { method: 'GET', path: '/directory/deletedItems/microsoft.graph.user', service: 'directory', query: LIST, handler: listDeleted },
  { method: 'GET', path: '/users/delta', service: 'directory', query: ['$select', '$top'], handler: usersDelta },
  {
    method: 'GET',
    path: '/users/{id}',
    service: 'directory',
    query: ['$select'],
    handler: (context) =>
      ok({ '@odata.context': context.links.context('users/$entity'), ...userOf(requirePerson(context), context.query.select) }),
  },
  { method: 'GET', path: '/users/{id}/licenseDetails', service: 'directory', query: ['$select'], handler: licenseDetails },
  { method: 'GET', path: '/groups', service: 'directory', query: LIST, handler: listGroups },
  {
    method: 'GET',
    path: '/groups/$count',
    like: '/groups',
    service: 'directory',
    query: COUNT,
    handler: (context) => directoryCount(context, groupsOf(context)),
  },
  { method: 'GET', path: '/groups/delta', service: 'directory', query: ['$select', '$top'], handler: groupsDelta },
  ...(['members', 'transitiveMembers', 'owners'] as const).map((name): RouteEntry => {
    const query = ['$select', '$top', '$count', '$filter', '$skip', '$orderby', '$search'];
    return {
      method: 'GET',
      path: `/groups/{id}/${name}`,
      service: 'directory',
      query,
      handler(context) {
        const group = requireGroup(context);
        return listMembers(context, name === 'owners' ? ownersOf(context, group) : membersOf(context, group, name === 'transitiveMembers'));
      },
    };
  }),
];
