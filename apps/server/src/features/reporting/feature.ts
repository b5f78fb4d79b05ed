import type { Database } from '@holdfast/database';
import type { Clock } from '@holdfast/foundation/clock';
import { inEachRealm } from '../../http/in-each-realm.ts';
import type { Feature } from '../../platform/feature.ts';
import type { RunsViews } from '../../runs/index.ts';
import { createProtectionViews, type ProtectionViews } from './protection.views.ts';
import { createReportingRoutes } from './reporting.routes.ts';
import { createReportsViews, type ReportsViews } from './reports.views.ts';

export interface ReportingFeature extends Feature {
  readonly protection: ProtectionViews;
  readonly reports: ReportsViews;
}

export function createReportingFeature(ports: {
  readonly database: Database;
  readonly clock: Clock;
  readonly runViews: RunsViews;
}): ReportingFeature {
  const { database, clock, runViews: runs } = ports;
  const views = { protection: createProtectionViews(database), reports: createReportsViews(database) };
  return Object.freeze<ReportingFeature>({
    ...views,
    mount: (app) => inEachRealm((realm) => createReportingRoutes(app, { ...views, runs, clock }, realm)),
  });
}
