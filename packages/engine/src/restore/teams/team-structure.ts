import type { Body, GraphClient, Known } from '@holdfast/m365';
import type { ItemVersion, Json } from '../../ports/item.ts';
import { textOf } from '../../pipeline/text.ts';

type Fields = Readonly<Record<string, unknown>>;

function list(value: Json | undefined): readonly Fields[] {
  return Array.isArray(value) ? value : [];
}

function member(graphUrl: string, userId: string, roles: readonly unknown[]): Body {
  return {
    '@odata.type': '#microsoft.graph.aadUserConversationMember',
    roles,
    'user@odata.bind': `${graphUrl}/users('${userId}')`,
  };
}

const GRAPH = 'https://graph.microsoft.com/v1.0';
const SETTINGS = ['memberSettings', 'guestSettings', 'messagingSettings', 'funSettings'] as const;

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

/** Makes the team anew with one owner; the others follow as members. */
export async function createTeam(graph: GraphClient, item: ItemVersion): Promise<string> {
  const members = list(item.properties['members']);
  const owner = members.find((one) => rolesOf(one).includes('owner')) ?? members[0];
  const ownerId = owner && userIdOf(owner);
  const { description, visibility } = item.properties;
  const operation = await graph.teams.createTeam({
    'template@odata.bind': `${GRAPH}/teamsTemplates('standard')`,
    displayName: item.name,
    ...(typeof description === 'string' ? { description } : {}),
    ...(typeof visibility === 'string' ? { visibility } : {}),
    members: ownerId === undefined ? [] : [member(GRAPH, ownerId, ['owner'])],
  });
  await graph.teams.waitFor(operation);
  return operation.teamId;
}

/** Adds who is missing. Returns the differences: members that the service refused. */
export async function addTeamMembers(graph: GraphClient, teamId: string, item: ItemVersion): Promise<readonly string[]> {
  const present = new Set<string>();
  for await (const one of graph.teams.members({ teamId })) {
    const id = userIdOf(one as unknown as Fields);
    if (id !== undefined) present.add(id);
  }
  const missing = list(item.properties['members']).filter((one) => !present.has(userIdOf(one) ?? ''));
  const bodies = missing.flatMap((one) => {
    const id = userIdOf(one);
    return id === undefined
      ? []
      : [
          member(
            GRAPH,
            id,
            rolesOf(one).filter((role) => role === 'owner'),
          ),
        ];
  });
  if (bodies.length === 0) return [];
  const results = await graph.teams.addMembers({ teamId }, bodies);
  return results.some((result) => result.error) ? ['members'] : [];
}

/** Apps first, then the tabs that need them. Returns what could not be put back. */
export async function restoreTabs(
  graph: GraphClient,
  channel: { readonly teamId: string; readonly channelId: string },
  item: ItemVersion,
): Promise<readonly string[]> {
  const present = new Set<string>();
  for await (const tab of graph.teams.tabs(channel)) present.add(tab.displayName ?? '');
  let isPartial = false;
  for (const tab of list(item.properties['tabs'])) {
    const name = textOf(tab['displayName']);
    const appId = (tab['teamsApp'] as { readonly id?: string } | undefined)?.id;
    if (present.has(name)) continue;
    if (appId === undefined) {
      isPartial = true;
      continue;
    }
    const body = {
      displayName: name,
      'teamsApp@odata.bind': `${GRAPH}/appCatalogs/teamsApps/${appId}`,
      configuration: tab['configuration'],
    };
    const recover = async (): Promise<Known<object> | undefined> => undefined;
    await graph.teams.createTab(channel, body, { recover }).catch(() => {
      isPartial = true;
    });
  }
  return isPartial ? ['tabs'] : [];
}

/** A new channel of the kind it was; private and shared ones begin with an owner. */
export function channelBody(item: ItemVersion): Body {
  const { description, membershipType } = item.properties;
  const owner = list(item.properties['members']).find((one) => rolesOf(one).includes('owner'));
  const ownerId = owner && userIdOf(owner);
  const isOpen = membershipType === undefined || membershipType === 'standard';
  return {
    displayName: item.name,
    membershipType: isOpen ? 'standard' : membershipType,
    ...(typeof description === 'string' ? { description } : {}),
    ...(isOpen || ownerId === undefined ? {} : { members: [member(GRAPH, ownerId, ['owner'])] }),
  };
}

/** Members of a private or shared channel who are missing. */
export async function addChannelMembers(
  graph: GraphClient,
  channel: { readonly teamId: string; readonly channelId: string },
  item: ItemVersion,
): Promise<readonly string[]> {
  const wanted = list(item.properties['members']);
  if (wanted.length === 0) return [];
  const present = new Set<string>();
  for await (const one of graph.teams.channelMembers(channel)) present.add(userIdOf(one as unknown as Fields) ?? '');
  let isPartial = false;
  for (const one of wanted) {
    const id = userIdOf(one);
    if (id === undefined || present.has(id)) continue;
    const body = member(
      GRAPH,
      id,
      rolesOf(one).filter((role) => role === 'owner'),
    );
    await graph.teams.addChannelMember(channel, body, { recover: async () => undefined }).catch(() => {
      isPartial = true;
    });
  }
  return isPartial ? ['members'] : [];
}
