import type { Database, Scope } from '@holdfast/database';
import type { Clock } from '@holdfast/foundation/clock';
import type { Ids } from '@holdfast/foundation/ids';
import type { Logger } from '@holdfast/foundation/logger';
import { inEachRealm } from '../../http/in-each-realm.ts';
import type { Feature } from '../../platform/feature.ts';
import type { AuditInbox } from '../audit/index.ts';
import { createBrowseViews, createSourcesViews } from '../discovery/index.ts';
import { actorEntry } from '../organisations/index.ts';
import { mountCompliance } from './compliance.routes.ts';
import { createComplianceService } from './compliance.service.ts';
import { createScanReportStore } from './scan-report.store.ts';
import { createScanSourcesStore } from './scan-sources.store.ts';
import { createScanner } from './scanner.service.ts';
import { createScansStore } from './scans.store.ts';

/** What the reports on sites and drives are made from. */
export interface CompliancePorts {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
  readonly audit: AuditInbox;
  scopes(): Promise<readonly Scope[]>;
}

export function createComplianceFeature(ports: CompliancePorts): Feature {
  const { database, audit } = ports;
  const scans = createScansStore(ports);
  const scanner = createScanner({
    ...ports,
    scans,
    sources: createScanSourcesStore(database),
    reports: createScanReportStore(database),
  });
  const service = createComplianceService({
    ...ports,
    scans,
    browse: createBrowseViews(database),
    points: createSourcesViews(database),
    record: (tx, { actor, caller }, { tenantId, scanId }) =>
      audit.record(tx, {
        event: 'compliance.scan-started',
        actor: actorEntry(actor, caller),
        subject: { kind: 'tenant', id: tenantId },
        details: { scanId },
      }),
  });
  return Object.freeze<Feature>({
    mount: (app) => inEachRealm((realm) => mountCompliance(app, service, realm)),
    // A worker scans what backups have changed.
    start: { worker: () => scanner.start() },
  });
}
