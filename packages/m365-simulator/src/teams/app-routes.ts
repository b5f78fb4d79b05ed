import { guidOf } from '../values/seeded.ts';
import { positionsOf } from '../state/feed.ts';
import { listPage } from '../delta/list-page.ts';
import { objectField, textField } from '../http/body-fields.ts';
import { badRequest, conflict } from '../http/failure.ts';
import type { JsonObject } from '../values/json.ts';
import { created, type Reply } from '../http/reply.ts';
import type { Context, RouteEntry } from '../http/route.ts';
import { boundKey, requireChannel, requireTeam } from './find-team.ts';
import { appNamed, appsOf, renderApp, renderDefinition, type TeamsApp, tabsOf } from './team-apps.ts';
import { type TabRecord, teamsState } from '../places/team-records.ts';

function installationId(teamId: string, app: TeamsApp): string {
  return Buffer.from(`${teamId}##${app.id}`).toString('base64');
}

function listApps(context: Context): Reply {
  const team = requireTeam(context);
  const { query } = context;
  return listPage(context, {
    items: positionsOf(appsOf(context.tenant, team.id).flatMap((id) => appNamed(id) ?? [])),
    context: `teams('${team.id}')/installedApps`,
    defaultSize: 100,
    maxSize: 999,
    render: (app) => ({
      id: installationId(team.id, app),
      ...(query.expands('teamsApp') ? { teamsApp: renderApp(app) } : {}),
      ...(query.expands('teamsAppDefinition') ? { teamsAppDefinition: renderDefinition(app) } : {}),
    }),
  });
}

function boundApp(body: JsonObject): TeamsApp {
  const app = appNamed(boundKey(body, 'teamsApp') ?? '');
  if (app) return app;
  throw badRequest('teams', "The value of 'teamsApp@odata.bind' is not an app of the catalogue.");
}

async function installApp(context: Context): Promise<Reply> {
  const body = await context.json();
  const team = requireTeam(context);
  const app = boundApp(body);
  const installed = appsOf(context.tenant, team.id);
  if (installed.includes(app.id)) throw conflict('teams', 'The app is already installed in the team.');
  const state = teamsState(context.tenant);
  state.apps.set(team.id, [...installed, app.id]);
  return { status: 201, headers: { Location: `/teams('${team.id}')/installedApps('${installationId(team.id, app)}')` } };
}

function renderTab(context: Context, tab: TabRecord): JsonObject {
  const app = appNamed(tab.appId);
  return {
    id: tab.id,
    displayName: tab.displayName,
    webUrl: `https://teams.microsoft.com/l/entity/${encodeURIComponent(tab.appId)}/_djb2_msteams_prefix_${tab.id}`,
    configuration: tab.configuration,
    ...(context.query.expands('teamsApp') && app ? { teamsApp: renderApp(app) } : {}),
  };
}

function listTabs(context: Context): Reply {
  const channel = requireChannel(context);
  return listPage(context, {
    items: positionsOf(tabsOf(context.tenant, channel.id)),
    context: `teams('${channel.teamId}')/channels('${channel.id}')/tabs`,
    defaultSize: 100,
    maxSize: 999,
    render: (tab) => renderTab(context, tab),
  });
}

async function addTab(context: Context): Promise<Reply> {
  const body = await context.json();
  const channel = requireChannel(context);
  const { tenant } = context;
  const app = boundApp(body);
  if (!appsOf(tenant, channel.teamId).includes(app.id)) throw badRequest('teams', 'The app is not installed in the team.');
  const displayName = textField(body, 'displayName');
  if (displayName === undefined || displayName === '') throw badRequest('teams', 'displayName is required.');
  const tabs = tabsOf(tenant, channel.id);
  const id = guidOf(tenant.seed, 'new-tab', channel.id, tabs.length, displayName);
  const tab: TabRecord = { id, displayName, appId: app.id, configuration: objectField(body, 'configuration') ?? {} };
  teamsState(tenant).tabs.set(channel.id, [...tabs, tab]);
  return created({ '@odata.context': context.links.context('teams/channels/tabs/$entity'), ...renderTab(context, tab) });
}

/** Apps of teams and tabs of channels. */
export const appRoutes: readonly RouteEntry[] = [
  { method: 'GET', path: '/teams/{id}/installedApps', service: 'teams', query: ['$expand', '$top'], handler: listApps },
  { method: 'POST', path: '/teams/{id}/installedApps', service: 'teams', handler: installApp },
  { method: 'GET', path: '/teams/{id}/channels/{id}/tabs', service: 'teams', query: ['$expand', '$top'], handler: listTabs },
  { method: 'POST', path: '/teams/{id}/channels/{id}/tabs', service: 'teams', handler: addTab },
];
