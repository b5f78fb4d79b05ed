import type { Database, Scope } from '@holdfast/database';
import type { Clock } from '@holdfast/foundation/clock';
import type { Logger } from '@holdfast/foundation/logger';
import { inEachRealm } from '../../http/in-each-realm.ts';
import type { Feature } from '../../platform/feature.ts';
import type { RunsStore } from '../../runs/index.ts';
import type { AuditInbox } from '../audit/index.ts';
import type { ContentService } from '../content/index.ts';
import { createBrowseViews, createSourcesViews } from '../discovery/index.ts';
import { actorEntry } from '../organisations/index.ts';
import type { RetentionFeature } from '../retention/index.ts';
import { createComparisonService } from './comparison.service.ts';
import { mountCompliance } from './compliance.routes.ts';
import { createComplianceService } from './compliance.service.ts';
import { createKeptItemService } from './kept-item.service.ts';
import { createScanStarter } from './scan-starter.ts';

/** What the reports on sites and drives are made from. */
export interface CompliancePorts {
  readonly database: Database;
  readonly clock: Clock;
  readonly runs: RunsStore;
  readonly logger: Logger;
  readonly audit: AuditInbox;
  /** Opens items by their tickets. */
  readonly reading: Pick<ContentService, 'words' | 'ticketed'>;
  readonly policiesOf: RetentionFeature['policiesOf'];
  readonly policiesOfFile: RetentionFeature['policiesOfFile'];
  readonly deletedBy: RetentionFeature['deletedBy'];
  scopes(): Promise<readonly Scope[]>;
}

export function createComplianceFeature(ports: CompliancePorts): Feature {
  const { database, audit } = ports;
  const scans = createScanStarter(ports);
  const service = createComplianceService({
    ...ports,
    scans,
    browse: createBrowseViews(database),
    points: createSourcesViews(database),
    record: (tx, { actor, caller }, { tenantId, runId }) =>
      audit.record(tx, {
        event: 'compliance.scan-started',
        actor: actorEntry(actor, caller),
        subject: { kind: 'tenant', id: tenantId },
        details: { runId },
      }),
    recordCleanUp: (tx, { actor, caller }, { tenantId, runId, newest, days, siteId, ownerId }) =>
      audit.record(tx, {
        event: 'compliance.clean-up-planned',
        actor: actorEntry(actor, caller),
        subject: { kind: 'tenant', id: tenantId },
        details: { runId, newest, days, ...(siteId === null ? {} : { siteId }), ...(ownerId === null ? {} : { ownerId }) },
      }),
  });
  const comparison = createComparisonService(ports.reading);
  const keptItems = createKeptItemService(ports);
  return Object.freeze<Feature>({
    mount: (app) => inEachRealm((realm) => mountCompliance(app, { ...service, ...comparison, ...keptItems }, realm)),
    // A worker queues scans of what backups have changed.
    start: { worker: () => scans.start() },
  });
}
