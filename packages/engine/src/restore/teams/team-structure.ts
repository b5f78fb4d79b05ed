import { crashPoint } from '@holdfast/foundation/crash-point';
import { isGraphError, type Body, type GraphClient, type Known } from '@holdfast/m365';
import type { ItemVersion } from '../../ports/item.ts';
import { listOf } from '../../pipeline/list-of.ts';
import { textOf } from '../../pipeline/text.ts';
import { makeOnce } from '../beginnings.ts';
import type { RestoreContext } from '../restorer.ts';
import type { People } from './people.ts';

type Fields = Readonly<Record<string, unknown>>;

const GRAPH = 'https://graph.microsoft.com/v1.0';

/** Somebody of the directory as a member of a team, a channel or a chat. */
export function member(userId: string, roles: readonly unknown[]): Body {
  return { '@odata.type': '#microsoft.graph.aadUserConversationMember', roles, 'user@odata.bind': `${GRAPH}/users('${userId}')` };
}

const SETTINGS = ['memberSettings', 'guestSettings', 'messagingSettings', 'funSettings'] as const;

/** What a team or channel is when it is made, and no restore changes. */
const AS_MADE = { isArchived: false, isFavoriteByDefault: false, classification: '', specialization: 'none' } as const;

/** What a team or channel that is made anew no longer is. */
export function statesLost({ properties }: ItemVersion): readonly string[] {
  return Object.entries(AS_MADE).flatMap(([name, made]) => ((properties[name] ?? made) === made ? [] : [name]));
}

function userIdOf(fields: Fields): string | undefined {
  return typeof fields['userId'] === 'string' ? fields['userId'] : undefined;
}

function rolesOf(fields: Fields): readonly unknown[] {
  return Array.isArray(fields['roles']) ? (fields['roles'] as readonly unknown[]) : [];
}

/** Settings of a team as a change takes them. */
export function teamSettings(item: ItemVersion): Body {
  const out: Record<string, unknown> = {};
  for (const name of SETTINGS) {
    const value = item.properties[name];
    if (typeof value === 'object' && value !== null) {
      out[name] = Object.fromEntries(Object.entries(value).filter(([field]) => !field.includes('@')));
    }
  }
  return out;
}

/** Who may own something that is made anew: an owner who is still there, or else a member who is. A guest owns nothing. */
function ownerOf(item: ItemVersion, people: People): string | undefined {
  const there = listOf(item.properties['members']).filter(
    (one) => people.isKnownUser(userIdOf(one) ?? '') && !rolesOf(one).includes('guest'),
  );
  const owner = there.find((one) => rolesOf(one).includes('owner')) ?? there[0];
  return owner && userIdOf(owner);
}

const LONGEST_CREATION_MS = 15 * 60_000;
const LOOK_AGAIN_MS = 10_000;

async function isTeam({ graph }: RestoreContext, teamId: string): Promise<boolean> {
  try {
    return (await graph.teams.team({ teamId })) !== undefined;
  } catch (error) {
    if (isGraphError(error, 'graph.item-gone', 'graph.resource-gone')) return false;
    throw error;
  }
}

/** Makes the team anew with one owner; the others follow as members. */
async function createTeam({ graph }: RestoreContext, { item, people, recover }: NewTeam): Promise<string> {
  const ownerId = ownerOf(item, people);
  const { description, visibility } = item.properties;
  const body = {
    'template@odata.bind': `${GRAPH}/teamsTemplates('standard')`,
    displayName: item.name,
    ...(typeof description === 'string' ? { description } : {}),
    ...(typeof visibility === 'string' ? { visibility } : {}),
    members: ownerId === undefined ? [] : [member(ownerId, ['owner'])],
  };
  const operation = await graph.teams.createTeam(body, {
    async recover() {
      const found = await recover();
      return found && { teamId: found.id, operationId: '' };
    },
  });
  await crashPoint('restore.team-ordered');
  if (operation.operationId !== '') await graph.teams.waitFor(operation);
  return operation.teamId;
}

interface NewTeam {
  readonly item: ItemVersion;
  readonly people: People;
  readonly recover: () => Promise<{ readonly id: string } | undefined>;
}

/** The team of this id, or one that is made in its place, once for all workers of the restore. */
export async function findOrCreateTeam(
  context: RestoreContext,
  { item, teamId, readPeople }: { readonly item: ItemVersion; readonly teamId: string; readonly readPeople: () => Promise<People> },
): Promise<{ readonly teamId: string; readonly isNew: boolean }> {
  if (await isTeam(context, teamId)) return { teamId, isNew: false };
  const { graph, clock, signal } = context;
  const namesakes = async (): Promise<readonly { readonly id: string }[]> => {
    const found = [];
    for await (const { id, displayName } of graph.directory.groups({ teamsOnly: true })) if (displayName === item.name) found.push({ id });
    return found;
  };
  const people = await readPeople();
  const make = (recover: NewTeam['recover']): Promise<string> => createTeam(context, { item, people, recover });
  const { id } = await makeOnce(context.beginnings, { key: item.key, list: namesakes, make });
  // A team that another worker had ordered may not be there yet.
  const until = clock.monotonicMs() + LONGEST_CREATION_MS;
  while (!(await isTeam(context, id)) && clock.monotonicMs() < until) await clock.sleep(LOOK_AGAIN_MS, signal);
  return { teamId: id, isNew: true };
}

/** Adds who is missing. Returns the differences: members that the service refused. */
export async function addTeamMembers(graph: GraphClient, teamId: string, item: ItemVersion): Promise<readonly string[]> {
  const present = new Set<string>();
  for await (const one of graph.teams.members({ teamId })) {
    const id = userIdOf(one as unknown as Fields);
    if (id !== undefined) present.add(id);
  }
  const missing = listOf(item.properties['members']).filter((one) => !present.has(userIdOf(one) ?? ''));
  const bodies = missing.flatMap((one) => {
    const id = userIdOf(one);
    return id === undefined
      ? []
      : [
          member(
            id,
            rolesOf(one).filter((role) => role === 'owner'),
          ),
        ];
  });
  if (bodies.length === 0) return [];
  const results = await graph.teams.addMembers({ teamId }, bodies);
  return results.some((result) => result.error) ? ['members'] : [];
}

function appIdOf(fields: Fields): string | undefined {
  return (fields['teamsApp'] as { readonly id?: string } | null | undefined)?.id;
}

const boundApp = (id: string): Body => ({ 'teamsApp@odata.bind': `${GRAPH}/appCatalogs/teamsApps/${id}` });

/** Installs the apps that the team had: tabs need theirs. Returns the differences: apps that the service refused. */
export async function installApps(graph: GraphClient, teamId: string, item: ItemVersion): Promise<readonly string[]> {
  const wanted = listOf(item.properties['apps']).map(appIdOf);
  if (wanted.length === 0) return [];
  const present = new Set<string | undefined>();
  for await (const { teamsApp } of graph.teams.apps({ teamId })) present.add(teamsApp?.id);
  let isPartial = false;
  for (const id of wanted) {
    if (id !== undefined && present.has(id)) continue;
    const isInstalled =
      id !== undefined &&
      (await graph.teams.installApp({ teamId }, boundApp(id)).then(
        () => true,
        () => false,
      ));
    isPartial ||= !isInstalled;
  }
  return isPartial ? ['apps'] : [];
}

/** Tabs that are missing; their apps are there. Returns what could not be put back. */
export async function restoreTabs(
  graph: GraphClient,
  channel: { readonly teamId: string; readonly channelId: string },
  item: ItemVersion,
): Promise<readonly string[]> {
  const present = new Set<string>();
  for await (const tab of graph.teams.tabs(channel)) present.add(tab.displayName ?? '');
  let isPartial = false;
  for (const tab of listOf(item.properties['tabs'])) {
    const name = textOf(tab['displayName']);
    const appId = appIdOf(tab);
    if (present.has(name)) continue;
    if (appId === undefined) {
      isPartial = true;
      continue;
    }
    const body = {
      displayName: name,
      ...boundApp(appId),
      configuration: tab['configuration'],
    };
    const recover = async (): Promise<Known<object> | undefined> => undefined;
    await graph.teams.createTab(channel, body, { recover }).catch(() => {
      isPartial = true;
    });
  }
  return isPartial ? ['tabs'] : [];
}

/** Who owns the team at the target and is still there. */
async function ownerAtTarget(graph: GraphClient, teamId: string, people: People): Promise<string | undefined> {
  for await (const one of graph.teams.members({ teamId })) {
    const id = userIdOf(one as unknown as Fields);
    if (id !== undefined && (one.roles ?? []).includes('owner') && people.isKnownUser(id)) return id;
  }
  return undefined;
}

/**
 * A new channel of the kind it was; private and shared ones begin with an owner: one of their people, or when all of
 * them have left an owner of the team.
 */
export async function channelBody(
  graph: GraphClient,
  teamId: string,
  { item, people }: { readonly item: ItemVersion; readonly people: People },
): Promise<Body> {
  const { description, membershipType } = item.properties;
  const isOpen = membershipType === undefined || membershipType === 'standard';
  const ownerId = isOpen ? undefined : (ownerOf(item, people) ?? (await ownerAtTarget(graph, teamId, people)));
  return {
    displayName: item.name,
    membershipType: isOpen ? 'standard' : membershipType,
    ...(typeof description === 'string' ? { description } : {}),
    ...(ownerId === undefined ? {} : { members: [member(ownerId, ['owner'])] }),
  };
}

/** Members of a private or shared channel who are missing. */
export async function addChannelMembers(
  graph: GraphClient,
  channel: { readonly teamId: string; readonly channelId: string },
  item: ItemVersion,
): Promise<readonly string[]> {
  const wanted = listOf(item.properties['members']);
  if (wanted.length === 0) return [];
  const present = new Set<string>();
  for await (const one of graph.teams.channelMembers(channel)) present.add(userIdOf(one as unknown as Fields) ?? '');
  let isPartial = false;
  for (const one of wanted) {
    const id = userIdOf(one);
    if (id === undefined || present.has(id)) continue;
    const body = member(
      id,
      rolesOf(one).filter((role) => role === 'owner'),
    );
    await graph.teams.addChannelMember(channel, body, { recover: async () => undefined }).catch(() => {
      isPartial = true;
    });
  }
  return isPartial ? ['members'] : [];
}
