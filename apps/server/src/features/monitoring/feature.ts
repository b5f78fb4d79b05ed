import type { Database, TaskQueue } from '@holdfast/database';
import type { Clock } from '@holdfast/foundation/clock';
import type { Ids } from '@holdfast/foundation/ids';
import { inEachRealm } from '../../http/in-each-realm.ts';
import type { Feature } from '../../platform/feature.ts';
import { createMonitoringRoutes } from './monitoring.routes.ts';
import { createRunAccountsStore, type RunAccountsStore } from '../../runs/run-accounts.store.ts';
import { createRunsStore, type RunsStore } from '../../runs/runs.store.ts';
import { createRunsViews, type RunsViews } from '../../runs/runs.views.ts';

export interface MonitoringPorts {
  readonly database: Database;
  readonly queue: TaskQueue;
  readonly clock: Clock;
  readonly ids: Ids;
}

export interface MonitoringFeature extends Feature {
  readonly runs: RunsStore;
  readonly accounts: RunAccountsStore;
  readonly runViews: RunsViews;
}

export function createMonitoringFeature(ports: MonitoringPorts): MonitoringFeature {
  const runViews = createRunsViews(ports.database);
  return Object.freeze<MonitoringFeature>({
    runs: createRunsStore(ports),
    accounts: createRunAccountsStore(ports),
    runViews,
    mount: (app) => inEachRealm((realm) => createMonitoringRoutes(app, runViews, realm)),
  });
}
