import type { Database } from '@holdfast/database';
import type { Clock } from '@holdfast/foundation/clock';
import { inEachRealm } from '../../http/in-each-realm.ts';
import type { Feature } from '../../platform/feature.ts';
import type { JobsViews } from '../jobs/index.ts';
import type { RunsViews } from '../../runs/index.ts';
import type { ProtectionViews, ReportsViews } from '../reporting/index.ts';
import { createAttentionViews } from './attention.views.ts';
import { createDashboardRoutes } from './dashboard.routes.ts';
import { createFiguresViews, type FiguresViews } from './figures.views.ts';
import { createGrowthViews } from './growth.views.ts';
import { createMailboxesViews } from './mailboxes.views.ts';
import { createOverviewViews, type OverviewParts } from './overview.views.ts';
import { createTeamsViews } from './teams.views.ts';

export interface DashboardPorts {
  readonly database: Database;
  readonly clock: Clock;
  readonly runViews: RunsViews;
  readonly jobsViews: JobsViews;
  readonly reports: ReportsViews;
  readonly protection: ProtectionViews;
  readonly nightly: OverviewParts['nightly'];
}

export interface DashboardFeature extends Feature {
  readonly figures: FiguresViews;
}

export function createDashboardFeature(ports: DashboardPorts): DashboardFeature {
  const { database, clock, runViews: runs, jobsViews: jobs } = ports;
  const figures = createFiguresViews({ ...ports, runs });
  const parts = {
    figures,
    overview: createOverviewViews({ ...ports, attention: createAttentionViews(database), figures, jobs, runs }),
    growth: createGrowthViews(database),
    reports: ports.reports,
    teams: createTeamsViews(database),
    mailboxes: createMailboxesViews(database),
    jobs,
    clock,
  };
  return Object.freeze<DashboardFeature>({
    figures,
    mount: (app) => inEachRealm((realm) => createDashboardRoutes(app, parts, realm)),
  });
}
