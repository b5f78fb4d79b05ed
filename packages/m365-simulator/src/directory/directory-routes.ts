import { deltaPage } from '../delta/delta-page.ts';
import { positionsOf } from '../delta/feed.ts';
import { listPage } from '../delta/list-page.ts';
import { notFound } from '../http/failure.ts';
import { readFilter } from '../http/filter.ts';
import type { JsonObject } from '../http/json.ts';
import { ordered } from '../http/order-by.ts';
import { project } from '../http/query.ts';
import { ok, type Reply } from '../http/reply.ts';
import type { Context, RouteEntry } from '../http/route.ts';
import type { Group, Person } from './directory.ts';
import { renderGroup, renderOrganisation, renderSku, renderUser, servicePlans, SKU_ID, USER_DEFAULTS } from './render-directory.ts';

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
  throw notFound('directory', `Resource '${id}' does not exist or one of its queried reference-property objects are not present.`);
}

function userOf(person: Person, select: readonly string[] | undefined): JsonObject {
  return project(renderUser(person), select ?? USER_DEFAULTS, []);
}

function listUsers(context: Context): Reply {
  const { query } = context;
  const filter = query.filter === undefined ? undefined : readFilter(query.filter, 'directory');
  return listPage(context, {
    items: ordered(context.tenant.directory.userFeed(), { orderBy: query.orderBy, service: 'directory', render: renderUser }),
    context: 'users',
    defaultSize: 100,
    maxSize: 999,
    render: (person) => userOf(person, query.select),
    ...(filter ? { includes: (person: Person) => filter(renderUser(person)) } : {}),
  });
}

function listGroups(context: Context): Reply {
  const { query, tenant } = context;
  const filter = query.filter === undefined ? undefined : readFilter(query.filter, 'directory');
  return listPage(context, {
    items: ordered(tenant.directory.groupFeed(), {
      orderBy: query.orderBy,
      service: 'directory',
      render: (group) => renderGroup(tenant, group),
    }),
    context: 'groups',
    defaultSize: 100,
    maxSize: 999,
    render: (group) => project(renderGroup(tenant, group), query.select, []),
    ...(filter ? { includes: (group: Group) => filter(renderGroup(tenant, group)) } : {}),
  });
}

function removed(id: string): JsonObject {
  return { id, '@removed': { reason: 'deleted' } };
}

function usersDelta(context: Context): Reply {
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

/** What is in a group, and with `isDeep` in the groups in it, each once; groups may lie in a circle. */
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

function listMembers(context: Context, isDeep: boolean): Reply {
  const { tenant, query } = context;
  const { select } = query;
  const ofGroup = (group: Group): JsonObject =>
    project(
      renderGroup(tenant, group),
      select?.filter((name) => name in renderGroup(tenant, group)),
      [],
    );
  return listPage(context, {
    items: positionsOf(membersOf(context, requireGroup(context), isDeep)),
    context: 'directoryObjects',
    defaultSize: 100,
    maxSize: 999,
    render: (member) =>
      'person' in member
        ? { '@odata.type': '#microsoft.graph.user', ...userOf(member.person, select) }
        : { '@odata.type': '#microsoft.graph.group', ...ofGroup(member.group) },
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

const LIST = ['$select', '$top', '$filter', '$count', '$skip', '$orderby'];

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
  { method: 'GET', path: '/groups/delta', service: 'directory', query: ['$select', '$top'], handler: groupsDelta },
  ...(['members', 'transitiveMembers'] as const).map((name): RouteEntry => {
    const isDeep = name === 'transitiveMembers';
    const query = ['$select', '$top', '$count'];
    return { method: 'GET', path: `/groups/{id}/${name}`, service: 'directory', query, handler: (context) => listMembers(context, isDeep) };
  }),
];
