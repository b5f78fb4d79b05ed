import { routes, type RouteName } from '../src/client/routes/routes.ts';
import { aClient } from './a-client.ts';
import { anything } from './anything.ts';
import { makeEachCall } from './each-call.ts';
import type { ScriptedRequest } from './scripted-transport.ts';

const CONTENT: Readonly<Record<string, string>> = {
  'contoso.sharepoint.com/download': 'spo:{downloadUrl}',
  'contoso.sharepoint.com/upload': 'spo:{uploadUrl}',
  'outlook.office.com/upload': 'outlook:{uploadUrl}',
  'outlook.office365.com/import': 'outlook:{importUrl}',
  'reports.office.com/r': 'reports:{reportUrl}',
};

function patternOf(route: RouteName): RegExp {
  const path = route.slice(route.indexOf(' ') + 1).replace(/^\/beta/, '');
  const source = path
    .replaceAll(/[.$()]/g, '\\$&')
    .replaceAll('{path}', '.+')
    .replaceAll(/\{\w+\}/g, '[^/]+?');
  return new RegExp(`^/(?:v1\\.0|beta)${source}$`);
}

const patterns = (Object.keys(routes) as RouteName[]).map((route) => ({ route, pattern: patternOf(route), wild: route.split('{').length }));

/** The route of a request: the pattern with the fewest placeholders that fits. */
export function routeOf(request: ScriptedRequest): string {
  const content = CONTENT[request.url.host + request.url.pathname];
  if (content) return `${request.method} ${content}`;
  // A site may be named by host and path, which is one key.
  const path = decodeURIComponent(request.url.pathname).replace(/^(\/v1\.0\/sites\/[^/]+:)\/.*$/, '$1');
  const fitting = patterns.filter(({ route, pattern }) => route.startsWith(`${request.method} `) && pattern.test(path));
  return fitting.sort((a, b) => a.wild - b.wild)[0]?.route ?? `${request.method} ${path}`;
}

/** How the parts of a client are called where their calls are declared. */
const DECLARED_AS: Readonly<Record<string, string>> = {
  directory: 'DirectoryCalls',
  reports: 'ReportCalls',
  drives: 'DriveCalls',
  sites: 'SiteCalls',
  teams: 'TeamCalls',
  chats: 'ChatCalls',
  'exchange.mail': 'MailCalls',
  'exchange.settings': 'MailboxSettingsCalls',
  'exchange.export': 'MailboxExportCalls',
  'exchange.calendar': 'CalendarCalls',
  'exchange.contacts': 'ContactCalls',
  'exchange.todo': 'TodoCalls',
};

function declaredName(call: string): string {
  const part = Object.keys(DECLARED_AS).find((name) => call.startsWith(`${name}.`)) ?? '';
  return `${DECLARED_AS[part] ?? part}.${call.slice(part.length + 1).split('.')[0] ?? ''}`;
}

/** The requests that calls send, by `MailCalls.messages`: each is made once. */
export async function routesOfCalls(calls: ReadonlySet<string>): Promise<readonly string[]> {
  const { client, run, transport } = aClient(anything, { betaImportMime: true });
  const sent = new Set<string>();
  let seen = 0;
  await run(
    makeEachCall(client, (name) => {
      const own = transport.requests.slice(seen);
      seen = transport.requests.length;
      if (calls.has(declaredName(name))) for (const request of own) sent.add(routeOf(request));
    }),
  );
  return [...sent].sort();
}
