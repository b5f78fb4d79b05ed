import type { ChannelReference, JobSource, SourceReference } from '@holdfast/contract/jobs';
import { forEachConcurrent } from '@holdfast/foundation/concurrency';
import type { GraphClient } from '@holdfast/m365';
import { nameMatcher } from '../jobs/index.ts';

type Team = SourceReference;

/** What a job covers of Teams now, chats apart. */
export interface CoveredTeams {
  readonly teams: ReadonlyMap<string, Team>;
  /** Of these teams only single channels are covered. */
  readonly channels: ReadonlyMap<string, readonly ChannelReference[]>;
}

/** Lists of members that are read at a time. */
const LISTS_AT_A_TIME = 4;

const matcherOf = ({ teamExpression }: JobSource): ((name: string) => boolean) =>
  teamExpression === '' ? () => false : nameMatcher(teamExpression, 'source.teamExpression');

/** The teams that have one of these people now. */
async function joinedBy(graph: GraphClient, teams: readonly Team[], people: ReadonlySet<string>): Promise<readonly Team[]> {
  const joined: Team[] = [];
  await forEachConcurrent(teams, LISTS_AT_A_TIME, async (team) => {
    for await (const member of graph.directory.groupMembers({ groupId: team.id })) {
      if (!people.has(member.id)) continue;
      joined.push(team);
      return;
    }
  });
  return joined;
}

/** Teams as Microsoft 365 has them now: all, those that the expression names, and those that the members are in. */
async function listedTeams(graph: GraphClient, source: JobSource): Promise<readonly Team[]> {
  if (!source.everyone && source.teamExpression === '' && source.members.length === 0) return [];
  const matches = matcherOf(source);
  const named: Team[] = [];
  const others: Team[] = [];
  for await (const { id, displayName, mail } of graph.directory.groups({ teamsOnly: true })) {
    const team = { id, name: displayName ?? '', address: mail ?? '' };
    if (source.everyone || matches(team.name)) named.push(team);
    else others.push(team);
  }
  if (source.members.length === 0) return named;
  return [...named, ...(await joinedBy(graph, others, new Set(source.members.map(({ id }) => id))))];
}

/** The teams of a job without those it excludes. A team that is covered whole is not covered by channels. */
export async function coveredTeams(graph: GraphClient, source: JobSource): Promise<CoveredTeams> {
  const teams = new Map<string, Team>();
  for (const team of [...(await listedTeams(graph, source)), ...source.teams, ...source.groups]) teams.set(team.id, team);
  const channels = new Map<string, ChannelReference[]>();
  for (const channel of source.channels) {
    const { teamId } = channel;
    const chosen = channels.get(teamId);
    if (chosen) chosen.push(channel);
    else if (!teams.has(teamId)) {
      channels.set(teamId, [channel]);
      teams.set(teamId, { id: teamId, name: channel.teamName, address: channel.address });
    }
  }
  for (const { id } of source.excluded) {
    teams.delete(id);
    channels.delete(id);
  }
  return { teams, channels };
}
