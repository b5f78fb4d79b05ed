import type { Realm, Scope } from '@holdfast/database';
import { createItemReader, type Catalog } from '@holdfast/engine';
import type { Ground } from './compose-ground.ts';
import type { JobPorts, JobSide } from './compose-jobs.ts';
import { createNightlyStore } from './features/audit/index.ts';
import { createCatalog } from './features/backup/index.ts';
import type { Approvals } from './features/approvals/index.ts';
import { createAccessRuleService, mountAccessRule, noteOf } from './features/content-access/index.ts';
import { createContentRoutes, createContentService, createContentTicketsStore } from './features/content/index.ts';
import {
  createAttentionViews,
  createDashboardRoutes,
  createFiguresViews,
  createOverviewViews,
  createMailboxesViews,
  createTeamsViews,
} from './features/dashboard/index.ts';
import {
  createBrowseViews,
  createDirectory,
  createDiscoveryRoutes,
  createProtectionOfViews,
  createSourcesViews,
} from './features/discovery/index.ts';
import type { Notifications } from './features/notifications/index.ts';
import { createProtectionViews, createReportingRoutes, createReportsViews } from './features/reporting/index.ts';
import { createSupportFeature } from './features/support/index.ts';
import { createRestoreRoutes, createRestoreService, createRestoreViews } from './features/restore/index.ts';
import type { HttpApp } from './http/http-app.ts';
import { mountLegacyJobs } from './http/legacy/jobs.routes.ts';
import { mountLegacyLookups } from './http/legacy/lookups.routes.ts';
import { createStoredLookups } from './http/legacy/stored-lookups.ts';

/** Dashboards, reports, pickers, browsing and restores, over what jobs have made. */
export interface Screens {
  mount(app: HttpApp, realm: Realm): void;
  /** The same under the names of the legacy surface. */
  mountLegacy(app: HttpApp): void;
}

function composeReading(ground: Ground, jobSide: JobSide) {
  const { database, clock } = ground;
  const protection = createProtectionViews(database);
  const reports = createReportsViews(database);
  const runs = jobSide.runViews;
  const figures = createFiguresViews({ database, runs, protection });
  const nightly = createNightlyStore(database);
  const overview = createOverviewViews({
    database,
    attention: createAttentionViews(database),
    figures,
    jobs: jobSide.jobsViews,
    runs,
    reports,
    protection,
    nightly,
  });
  return {
    dashboard: {
      figures,
      overview,
      teams: createTeamsViews(database),
      mailboxes: createMailboxesViews(database),
      jobs: jobSide.jobsViews,
      clock,
    },
    reporting: { runs, reports, protection, clock },
  };
}

/** What the screens need of the rest. */
export interface ScreenPorts extends JobPorts {
  readonly notifications: Pick<Notifications, 'contentOpened'>;
  readonly approvals: Approvals;
}

export function composeScreens(ground: Ground, ports: ScreenPorts, jobSide: JobSide): Screens {
  const { database, clock, ids, logger, audit } = ground;
  const { notifications } = ports;
  const { dashboard, reporting } = composeReading(ground, jobSide);
  const catalogOf = (scope: Scope, locationId: string): Catalog => createCatalog({ database, scope, locationId, ids });
  const restoreViews = createRestoreViews(database);
  const restore = createRestoreService({
    graph: ports.graph,
    vaults: jobSide.vaults,
    views: restoreViews,
    database,
    contentAccess: ground.contentAccess,
    catalogOf,
    clock,
    logger,
    record: ({ actor, scope }, { event, runId, name, reason }) =>
      database.within(scope, (tx) =>
        audit.record(tx, {
          event,
          actor: { kind: 'account', id: actor.accountId, name: actor.email },
          subject: { kind: 'run', id: runId, name },
          reason,
        }),
      ),
  });
  const discovery = {
    directory: createDirectory({ graph: ports.graph, clock }),
    protectionOf: createProtectionOfViews(database),
    sources: createSourcesViews(database),
    browse: createBrowseViews(database),
  };
  const content = createContentService({
    store: createContentTicketsStore(database),
    vaults: jobSide.vaults,
    items: createItemReader(clock),
    access: ground.contentAccess,
    catalogOf,
    record: async (tx, { actor, request, scope }, { item, resourceName, reason, ground: why }) => {
      await notifications.contentOpened(tx, scope, { content: { by: 'resource', value: item.resourceId }, reader: actor, reason });
      await audit.record(tx, {
        event: 'content.opened',
        actor: { kind: 'account', id: actor.accountId, name: actor.email, address: request.address, requestId: request.id },
        subject: { kind: 'item', id: item.itemKey, name: resourceName },
        reason,
        details: {
          resourceId: item.resourceId,
          sequence: item.sequence,
          ...noteOf(why),
        },
      });
    },
    clock,
    ids,
  });
  const accessRule = createAccessRuleService({ ...ground, approvals: ports.approvals });
  const support = createSupportFeature(ground);
  return Object.freeze<Screens>({
    mount(app, realm) {
      createContentRoutes(app, content, realm);
      mountAccessRule(app, accessRule, realm);
      support.mount(app, realm);
      createDashboardRoutes(app, dashboard, realm);
      createReportingRoutes(app, reporting, realm);
      createDiscoveryRoutes(app, discovery, realm);
      createRestoreRoutes(app, { service: restore, views: restoreViews }, realm);
    },
    mountLegacy(app) {
      const stored = createStoredLookups({ ...discovery, locationIds: (scope, tenantId) => ports.locationIds(scope, tenantId) });
      mountLegacyJobs(app, { jobs: jobSide.jobs, runs: jobSide.runViews, figures: dashboard.figures, sources: restoreViews, clock });
      mountLegacyLookups(app, { directory: discovery.directory, stored, runs: jobSide.runViews });
    },
  });
}
