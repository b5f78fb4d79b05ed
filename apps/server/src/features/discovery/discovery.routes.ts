import { discovery } from '@holdfast/contract/discovery';
import type { Candidate, RestorePoint, Source } from '@holdfast/contract/discovery';
import type { Page } from '@holdfast/contract/paging';
import type { Workload } from '@holdfast/contract/values';
import type { Realm, Scope } from '@holdfast/database';
import { AppError } from '@holdfast/foundation/errors';
import type { HttpApp } from '../../http/http-app.ts';
import { mount } from '../../http/mount.ts';
import { scopeOf } from '../../http/scope.ts';
import { nameMatcher } from '../jobs/index.ts';
import type { BrowseViews } from './browse.views.ts';
import { pageOfCandidates, type CandidatesQuery, type Listed } from './candidates.ts';
import type { Directory, ListName } from './directory.service.ts';
import type { ProtectionOfViews } from './protection-of.views.ts';
import type { SourcePlace, SourcesViews } from './sources.views.ts';

export interface DiscoveryParts {
  readonly directory: Directory;
  readonly protectionOf: ProtectionOfViews;
  readonly sources: SourcesViews;
  readonly browse: BrowseViews;
}

interface Place {
  readonly tenantId: string;
  readonly locationId: string;
}

/** An address is looked up as it is: Microsoft may list no sites to the app, or not this one yet. */
function addressIn(search = ''): URL | undefined {
  return /^https:\/\//iu.test(search) && URL.canParse(search) ? new URL(search) : undefined;
}

const workloadOf: Readonly<Record<ListName, Workload>> = { users: 'exchange', groups: 'exchange', sites: 'sharepoint', teams: 'teams' };
const rootNode = 'root';

/** What is asked for must be there. */
function createGuards(sources: SourcesViews) {
  /** What a location of somebody else or of nobody holds is not nothing: it is not found. */
  async function requireLocation(scope: Scope, place: Place): Promise<void> {
    if (!(await sources.hasLocation(scope, place))) throw new AppError('not-found');
  }

  async function requireSource(scope: Scope, place: SourcePlace): Promise<Source> {
    const found = await sources.get(scope, place);
    if (!found) throw new AppError('restore.source-unknown');
    return found;
  }

  async function requirePoint(scope: Scope, sourceId: string, sequence: number): Promise<RestorePoint> {
    const found = await sources.point(scope, sourceId, sequence);
    if (!found) throw new AppError('restore.point-unknown');
    return found;
  }

  return { requireLocation, requireSource, requirePoint };
}

/** Mounts what can be protected and what is held: pickers, sources, restore points, browsing. */
export function createDiscoveryRoutes(app: HttpApp, parts: DiscoveryParts, realm: Realm): void {
  const { directory, sources, browse } = parts;
  const { requireLocation, requireSource, requirePoint } = createGuards(sources);

  async function page(
    scope: Scope,
    place: Place,
    listed: { readonly all: () => Promise<readonly Listed[]>; readonly workload: Workload },
    query: CandidatesQuery,
  ): Promise<Page<Candidate>> {
    await requireLocation(scope, place);
    const workload = query.workload ?? listed.workload;
    const [all, protection] = await Promise.all([listed.all(), parts.protectionOf.of(scope, { ...place, workload })]);
    return pageOfCandidates(all, protection, query);
  }

  function list(scope: Scope, place: Place, name: ListName, query: CandidatesQuery): Promise<Page<Candidate>> {
    return page(scope, place, { all: () => directory.list(scope, place.tenantId, name), workload: workloadOf[name] }, query);
  }

  function sites(scope: Scope, place: Place, query: CandidatesQuery): Promise<Page<Candidate>> {
    const at = addressIn(query.search);
    const all = () => (at ? directory.siteAt(scope, place.tenantId, at) : directory.list(scope, place.tenantId, 'sites'));
    return page(scope, place, { all, workload: workloadOf.sites }, at ? { ...query, search: undefined } : query);
  }
  mount(
    app,
    discovery,
    {
      users: (context) => list(scopeOf(context), context.params, 'users', context.query),
      groups: (context) => list(scopeOf(context), context.params, 'groups', context.query),
      sites: (context) => sites(scopeOf(context), context.params, context.query),
      teams(context) {
        const { expression, ...query } = context.query;
        const matches = expression === undefined ? () => true : nameMatcher(expression, 'expression');
        const scope = scopeOf(context);
        const all = async () => (await directory.list(scope, context.params.tenantId, 'teams')).filter(({ name }) => matches(name));
        return page(scope, context.params, { all, workload: workloadOf.teams }, query);
      },
      async channels(context) {
        const scope = scopeOf(context);
        await requireLocation(scope, context.params);
        const channels = await directory.channels(scope, context.params.tenantId, context.params.teamId);
        return { items: channels.map(({ id, name }) => ({ id, name })) };
      },
      groupUsers(context) {
        const { tenantId, groupId } = context.params;
        const all = () => directory.members(scopeOf(context), tenantId, groupId);
        return page(scopeOf(context), context.params, { all, workload: 'exchange' }, context.query);
      },
      async sources(context) {
        const scope = scopeOf(context);
        await requireLocation(scope, context.params);
        return sources.list(scope, context.params, context.query);
      },
      source: (context) => requireSource(scopeOf(context), context.params),
      async points(context) {
        const source = await requireSource(scopeOf(context), context.params);
        return { items: await sources.points(scopeOf(context), source.sourceId, context.query) };
      },
      async items(context) {
        const scope = scopeOf(context);
        const { sourceId } = await requireSource(scope, context.params);
        const nodeId = context.params.nodeId === rootNode ? null : context.params.nodeId;
        const point = (await sources.pointAt(scope, sourceId, context.query.at)) ?? null;
        if (point === null) return { items: [], nextCursor: null, total: 0, point, trail: [] };
        const place = { sourceId, sequence: point.sequence, nodeId };
        const opened = await browse.open(scope, place, context.query);
        if (opened === undefined) throw new AppError('not-found');
        return { ...opened, point, trail: [...opened.trail] };
      },
      async compare(context) {
        const scope = scopeOf(context);
        const { sourceId } = await requireSource(scope, context.params);
        const { from, to } = context.query;
        await requirePoint(scope, sourceId, to);
        if (from > 0) await requirePoint(scope, sourceId, from);
        return browse.compare(scope, { sourceId, from, to }, context.query);
      },
    },
    { surface: 'main', realm },
  );
}
