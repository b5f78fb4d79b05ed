import { leaver, seededTeam } from '../state/generate-people.ts';
import { placesOf } from '../places/places.ts';
import type { Tenant } from '../state/tenant.ts';
import type { ChannelRecord } from '../places/team-records.ts';
import type { Conversation } from './conversation.ts';
import { type OpenConversation, openConversation } from './open-conversation.ts';

const DAY_MS = 86_400_000;

/** Somebody who wrote in the first team and has left: the directory no longer knows the id. */
export function leaverOf(tenant: Tenant): string {
  return leaver(tenant.seed);
}

function seedOf(tenant: Tenant, teamId: string): { readonly index: number; readonly writers: readonly string[] } {
  const index = tenant.recipe.teams.findIndex((_, at) => seededTeam(tenant, at).id === teamId);
  const members = index < 0 ? [] : seededTeam(tenant, index).memberIds;
  const hasLeaver = tenant.recipe.hasOddities && index === 0;
  return { index, writers: hasLeaver ? [...members, leaverOf(tenant)] : members };
}

/** The messages of a channel. */
export function openChannel(tenant: Tenant, channel: ChannelRecord): OpenConversation {
  const places = placesOf(tenant);
  const site = places.siteOfChannel(channel.id) ?? places.siteOfGroup(channel.teamId);
  const driveId = site && places.librariesOf(site.id)[0]?.driveId;
  const { index, writers } = seedOf(tenant, channel.teamId);
  const conversation: Conversation = {
    id: channel.id,
    kind: 'channel',
    teamId: channel.teamId,
    ...(driveId === undefined ? {} : { driveId }),
    seededRoots: channel.seededMessages,
    fromMs: channel.createdMs + 60_000,
    untilMs: tenant.epochMs - DAY_MS,
    writers,
    language: index % 2 === 0 ? 'de' : 'en',
    hasAccountNumber: tenant.recipe.hasOddities && index === 1 && channel.isGeneral,
    hasLongThread: tenant.recipe.hasOddities && index === 0 && channel.isGeneral,
  };
  return openConversation(tenant, conversation);
}
