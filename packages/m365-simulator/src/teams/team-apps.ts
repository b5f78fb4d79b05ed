import { guidOf } from '../values/seeded.ts';
import type { JsonObject } from '../values/json.ts';
import type { Tenant } from '../state/tenant.ts';
import { type ChannelRecord, findChannel, type TabRecord, teamsState } from '../places/team-records.ts';

/** An app of the store that teams can install. */
export interface TeamsApp {
  readonly id: string;
  readonly displayName: string;
  readonly version: string;
}

/** Apps of the catalogue. The website tab is part of every team. */
export const catalogue: readonly TeamsApp[] = [
  { id: 'com.microsoft.teamspace.tab.web', displayName: 'Website', version: '1.0.0' },
  { id: 'com.microsoft.teamspace.tab.planner', displayName: 'Planner', version: '1.2.1' },
  { id: '0d820ecd-def2-4297-adad-78056cde7c78', displayName: 'OneNote', version: '2.1.0' },
  { id: '14d6962d-6eeb-4f48-8890-de55454bb136', displayName: 'Activity', version: '1.0' },
  { id: '1542629c-01b3-4a6d-8f76-1938b779e48d', displayName: 'Polly', version: '3.7.0' },
];

export function appNamed(id: string): TeamsApp | undefined {
  return catalogue.find((app) => app.id === id);
}

/** Ids of the apps that are installed in a team. */
export function appsOf(tenant: Tenant, teamId: string): readonly string[] {
  const isSeeded = (tenant.directory.group(teamId)?.createdMs ?? tenant.epochMs) < tenant.epochMs;
  const first = isSeeded ? catalogue.slice(0, 4) : catalogue.slice(0, 1);
  return teamsState(tenant).apps.get(teamId) ?? first.map((app) => app.id);
}

function seededTabs(tenant: Tenant, channel: ChannelRecord): TabRecord[] {
  if (channel.seededMessages === 0) return [];
  const address = `https://www.example.com/${channel.isGeneral ? 'handbook' : 'dashboard'}`;
  const configuration: JsonObject = { entityId: null, contentUrl: address, websiteUrl: address, removeUrl: null };
  const displayName = channel.isGeneral ? 'Handbuch' : 'Dashboard';
  return [{ id: guidOf(tenant.seed, 'tab', channel.id), displayName, appId: 'com.microsoft.teamspace.tab.web', configuration }];
}

/** The tabs of a channel. */
export function tabsOf(tenant: Tenant, channelId: string): readonly TabRecord[] {
  const channel = findChannel(tenant, channelId);
  return teamsState(tenant).tabs.get(channelId) ?? (channel ? seededTabs(tenant, channel) : []);
}

export function renderApp(app: TeamsApp): JsonObject {
  return { id: app.id, externalId: null, displayName: app.displayName, distributionMethod: 'store' };
}

export function renderDefinition(app: TeamsApp): JsonObject {
  return {
    id: Buffer.from(`1##${app.id}##${app.version}`).toString('base64'),
    teamsAppId: app.id,
    displayName: app.displayName,
    version: app.version,
    publishingState: 'published',
    shortDescription: app.displayName,
    description: app.displayName,
    lastModifiedDateTime: null,
    createdBy: null,
  };
}
