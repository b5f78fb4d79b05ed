import type { compliance } from '@holdfast/contract/compliance';
import type { ParamsOf, QueryOf, ResponseOf, Route } from '@holdfast/contract/route';
import type { Database, Scope, Tx } from '@holdfast/database';
import { now, type Clock } from '@holdfast/foundation/clock';
import { AppError } from '@holdfast/foundation/errors';
import type { Download } from '../../http/context.ts';
import type { RunsStore } from '../../runs/index.ts';
import type { BrowseViews, SourcesViews } from '../discovery/index.ts';
import type { Asking } from '../identity/index.ts';
import { startCleanUp, type CleanUpRule } from './clean-up-starter.ts';
import { cleanUpScript } from './clean-up-script.ts';
import { cleanUpsPage } from './clean-ups.store.ts';
import { duplicatesPage } from './duplicates.views.ts';
import { dashboardFigures } from './figures.views.ts';
import { exposurePage, stalePage } from './findings.views.ts';
import { keptVersions, sourceOf, whyKept, type KnownSource } from './kept.views.ts';
import { folderPage, trailEver, withStates, type FolderPlace, type FoundNode } from './nodes.views.ts';
import { ownersPage } from './owners.views.ts';
import type { RetentionFeature } from '../retention/index.ts';
import { accountsPage, reportsPage } from './reports.views.ts';
import type { ScanStarter } from './scan-starter.ts';
import { sensitiveConversationsPage } from './sensitive-conversations.views.ts';
import { sensitivePage } from './sensitive.views.ts';
import { siteOwnersPage } from './site-owners.views.ts';
import { sitesPage } from './sites.views.ts';
import { growthOf, storagePage } from './storage.views.ts';
import { wastePage } from './waste.views.ts';

type Contract = typeof compliance;
type Answer<R extends Route> = Promise<ResponseOf<R>>;
/** A list of one tenant. */
type Listing<R extends Route> = (scope: Scope, tenantId: string, query: QueryOf<R>) => Answer<R>;

export interface ComplianceService {
  dashboard(scope: Scope, tenantId: string): Answer<Contract['dashboard']>;
  accounts(scope: Scope, report: ParamsOf<Contract['accounts']>, query: QueryOf<Contract['accounts']>): Answer<Contract['accounts']>;
  startScan(asking: Asking, tenantId: string): Answer<Contract['startScan']>;
  readonly reports: Listing<Contract['reports']>;
  readonly sites: Listing<Contract['sites']>;
  readonly nodes: Listing<Contract['nodes']>;
  readonly versions: Listing<Contract['versions']>;
  readonly kept: Listing<Contract['kept']>;
  readonly waste: Listing<Contract['waste']>;
  readonly cleanUps: Listing<Contract['cleanUps']>;
  planCleanUp(asking: Asking, tenantId: string, rule: CleanUpRule): Answer<Contract['planCleanUp']>;
  cleanUpScript(scope: Scope, place: ParamsOf<Contract['cleanUpScript']>): Promise<Download>;
  readonly duplicates: Listing<Contract['duplicates']>;
  readonly stale: Listing<Contract['stale']>;
  readonly exposure: Listing<Contract['exposure']>;
  readonly sensitive: Listing<Contract['sensitive']>;
  readonly sensitiveConversations: Listing<Contract['sensitiveConversations']>;
  readonly owners: Listing<Contract['owners']>;
  readonly siteOwners: Listing<Contract['siteOwners']>;
  readonly storage: Listing<Contract['storage']>;
  readonly growth: Listing<Contract['growth']>;
}

export interface ComplianceServiceOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly scans: Pick<ScanStarter, 'request'>;
  readonly runs: Pick<RunsStore, 'enqueue'>;
  readonly browse: BrowseViews;
  readonly points: Pick<SourcesViews, 'pointAt'>;
  /** The policies that keep a file, or something that ever was in a folder. */
  readonly policiesOfFile: RetentionFeature['policiesOfFile'];
  /** Writes the start of a scan into the audit log, in its own transaction. */
  record(tx: Tx, asking: Asking, scan: { readonly tenantId: string; readonly runId: string }): Promise<void>;
  /** The same for a clean-up, with its rule. */
  recordCleanUp(tx: Tx, asking: Asking, plan: CleanUpRule & { readonly tenantId: string; readonly runId: string }): Promise<void>;
}

async function knownSource(tx: Tx, tenantId: string, sourceId: string): Promise<KnownSource> {
  const source = await sourceOf(tx, tenantId, sourceId);
  if (!source) throw new AppError('restore.source-unknown');
  return source;
}

/** Lists the nodes of a folder through the browser of restores; narrowed, or with what the folder held before, on its own. */
function createNodes({ database, browse, points }: ComplianceServiceOptions): ComplianceService['nodes'] {
  async function openLive(scope: Scope, place: FolderPlace, query: QueryOf<Contract['nodes']>) {
    const opened = await browse.open(scope, place, query);
    if (!opened) throw new AppError('not-found');
    const items = opened.items.map(({ nodeId, kind, isContainer, name, sizeBytes, modifiedAt, author }): FoundNode => {
      return { nodeId, kind, isContainer, name, sizeBytes, modifiedAt, author, sequence: place.sequence };
    });
    return { ...opened, items, trail: [...opened.trail] };
  }
  async function openEver(scope: Scope, place: FolderPlace, query: QueryOf<Contract['nodes']>) {
    return database.within(scope, async (tx) => {
      const trail = await trailEver(tx, place);
      if (!trail) throw new AppError('not-found');
      return { ...(await folderPage(tx, place, query)), trail };
    });
  }
  const isPlain = ({ deleted, type, audience }: QueryOf<Contract['nodes']>): boolean =>
    deleted !== true && type === undefined && audience === undefined;
  return async (scope, tenantId, query) => {
    const { sourceId } = await database.within(scope, (tx) => knownSource(tx, tenantId, query.sourceId));
    const point = await points.pointAt(scope, sourceId, query.at);
    if (!point) return { items: [], nextCursor: null, total: 0, at: null, trail: [] };
    const place = { sourceId, sequence: point.sequence, nodeId: query.nodeId ?? null };
    const { items, trail, ...page } = await (isPlain(query) ? openLive : openEver)(scope, place, query);
    const nodes = await database.within(scope, (tx) => withStates(tx, place, items));
    return { ...page, items: nodes, trail: [...trail], at: point.at };
  };
}

export function createComplianceService(options: ComplianceServiceOptions): ComplianceService {
  const { database, clock, scans } = options;
  const reading =
    <Query, Found>(read: (tx: Tx, tenantId: string, query: Query, at: Date) => Promise<Found>) =>
    (scope: Scope, tenantId: string, query: Query): Promise<Found> =>
      database.within(scope, (tx) => read(tx, tenantId, query, now(clock)));
  return Object.freeze<ComplianceService>({
    dashboard: (scope, tenantId) => database.within(scope, (tx) => dashboardFigures(tx, tenantId, now(clock))),
    async accounts(scope, report, query) {
      const page = await database.within(scope, (tx) => accountsPage(tx, report, query));
      if (!page) throw new AppError('not-found');
      return page;
    },
    startScan: (asking, tenantId) =>
      database.within(asking.scope, async (tx) => {
        const { runId, isNew } = await scans.request(tx, asking.scope, tenantId, asking.actor.email);
        if (isNew) await options.record(tx, asking, { tenantId, runId });
        return { taskId: runId };
      }),
    nodes: createNodes(options),
    versions: (scope, tenantId, { sourceId, nodeId }) =>
      database.within(scope, async (tx) => {
        const source = await knownSource(tx, tenantId, sourceId);
        return { items: await keptVersions(tx, source.sourceId, nodeId) };
      }),
    kept: (scope, tenantId, { sourceId, nodeId }) =>
      database.within(scope, async (tx) => {
        const source = await knownSource(tx, tenantId, sourceId);
        const policies = await options.policiesOfFile(tx, { resourceId: source.resourceId, itemKey: nodeId });
        const untils = policies.map(({ name, until }) => ({ name, until: until?.toISOString() ?? null }));
        return { ...(await whyKept(tx, tenantId, source, nodeId)), policies: untils };
      }),
    reports: reading(reportsPage),
    sites: reading(sitesPage),
    waste: reading(wastePage),
    cleanUps: reading(cleanUpsPage),
    planCleanUp: (asking, tenantId, rule) =>
      database.within(asking.scope, async (tx) => {
        const order = { tenantId, rule, startedBy: asking.actor.email };
        const runId = await startCleanUp(options.runs, tx, asking.scope, order);
        await options.recordCleanUp(tx, asking, { tenantId, runId, ...rule });
        return { taskId: runId };
      }),
    cleanUpScript: (scope, place) => cleanUpScript(database, scope, place, now(clock)),
    duplicates: reading(duplicatesPage),
    stale: reading(stalePage),
    exposure: reading(exposurePage),
    sensitive: reading(sensitivePage),
    sensitiveConversations: reading(sensitiveConversationsPage),
    owners: reading(ownersPage),
    siteOwners: reading(siteOwnersPage),
    storage: reading(storagePage),
    growth: reading(growthOf),
  });
}
