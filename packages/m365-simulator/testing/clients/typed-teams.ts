import { createGraphServiceClient } from '@microsoft/msgraph-sdk';
// oxlint-disable-next-line import/no-unassigned-import -- the package adds its paths by side effect
import '@microsoft/msgraph-sdk-teams';
import { tell } from './setting.ts';
import { createAdapter, refusalOf } from './typed-adapter.ts';

const graph = createGraphServiceClient(createAdapter());
const team = graph.teams.byTeamId(process.env['TEAM_ID'] ?? '');
const itself = await team.get();
const members = await team.members.get();
const channels = await team.channels.get();
const every = await team.allChannels.get();
const general = channels?.value?.find((entry) => entry.membershipType === 'standard');
const channel = team.channels.byChannelId(general?.id ?? '');
const messages = await channel.messages.get({ queryParameters: { top: 50, expand: ['replies'] } });
const delta = await channel.messages.delta.get();
const tabs = await channel.tabs.get();
const folder = await channel.filesFolder.get();
const apps = await team.installedApps.get({ queryParameters: { expand: ['teamsAppDefinition'] } });
const made = await team.channels.post({ displayName: 'Typed', membershipType: 'standard' });
await team.channels.byChannelId(made?.id ?? '').patch({ description: 'changed' });
const changed = await team.channels.byChannelId(made?.id ?? '').get();
const malformed = await refusalOf(() => graph.teams.byTeamId('nonsense').get());

tell({
  name: typeof itself?.displayName,
  members: (members?.value?.length ?? 0) > 0,
  channels: (channels?.value?.length ?? 0) > 0,
  every: (every?.value?.length ?? 0) >= (channels?.value?.length ?? 0),
  messages: (messages?.value?.length ?? 0) > 0,
  isDated: messages?.value?.[0]?.createdDateTime instanceof Date,
  delta: (delta?.value?.length ?? 0) > 0,
  tabs: Array.isArray(tabs?.value),
  folder: typeof folder?.name,
  apps: Array.isArray(apps?.value),
  changed: changed?.description,
  malformed,
});
