import { createArchiveFeature } from '../features/archive/index.ts';
import { createAuditorAccessFeature } from '../features/auditor-access/index.ts';
import { createCasesFeature } from '../features/cases/index.ts';
import { createComplianceFeature } from '../features/compliance/index.ts';
import { createAccessLogFeature } from '../features/access-log/index.ts';
import { createAccessRuleFeature } from '../features/content-access/index.ts';
import { createContentFeature } from '../features/content/index.ts';
import { createDashboardFeature } from '../features/dashboard/index.ts';
import { createDeletionsFeature } from '../features/deletions/index.ts';
import { createDiscoveryFeature } from '../features/discovery/index.ts';
import { createExportsFeature } from '../features/exports/index.ts';
import { createImportsFeature } from '../features/imports/index.ts';
import { createMetricsFeature } from '../features/metrics/index.ts';
import { createPeopleFeature } from '../features/people/index.ts';
import { createPrintedReportsFeature } from '../features/printed-reports/index.ts';
import { createProceduresFeature } from '../features/procedures/index.ts';
import { createProvisioningFeature } from '../features/provisioning/index.ts';
import { createProxyRightsFeature } from '../features/proxy-rights/index.ts';
import { createReceiversFeature } from '../features/receivers/index.ts';
import { createReportingFeature } from '../features/reporting/index.ts';
import { createRestoreFeature } from '../features/restore/index.ts';
import { createUndoFeature } from '../features/undo/index.ts';
import { createReviewsFeature } from '../features/reviews/index.ts';
import { createSearchFeature } from '../features/search/index.ts';
import { createSupportFeature } from '../features/support/index.ts';
import { recognisesScans } from '../settings/config.ts';
import type { Ground } from './ground.ts';
import { createLegacyFeature } from '../legacy/feature.ts';
import { createEventsFeature } from '../events/feature.ts';
import type { Gate } from './gate.ts';
import { archiveKeepers, type Work } from './work.ts';

/** What people see and do with what is kept. */
export function composePages(ground: Ground, gate: Gate, work: Omit<Work, 'work'>) {
  const { approvals, holds, retention, notifications, auditLog, tenants, locations, configuration } = gate;
  const { storage, monitoring, documents, dataRequests, jobs, resources, contentOpened } = work;
  const base = { ...ground, graph: tenants.graph, vaults: storage.vaults, runViews: monitoring.runViews, runs: monitoring.runs, ...jobs };
  const erasing = { ...dataRequests, approvals, archiveKeepers: archiveKeepers(gate), dueMessages: retention.due, runs: monitoring.runs };
  const proxyRights = createProxyRightsFeature({ ...base, approvals });
  const provisioning = createProvisioningFeature({
    ...base,
    ...configuration,
    ...locations,
    resources,
    onSynchronised: (scope) => proxyRights.synchronise(scope),
  });
  const reporting = createReportingFeature(base);
  const dashboard = createDashboardFeature({ ...base, ...reporting, nightly: auditLog.nightly });
  const discovery = createDiscoveryFeature(base);
  const restore = createRestoreFeature(base);
  const cases = createCasesFeature({ ...base, holds: holds.ofCases });
  const reviews = createReviewsFeature({ ...base, ...cases });
  const content = createContentFeature({ ...base, contentOpened, previewer: documents.previewer });
  const search = createSearchFeature({
    ...base,
    access: ground.contentAccess,
    recognisesScans: recognisesScans(ground.config),
    notify: (tx, scope, found) => notifications.searchFound(tx, scope, found),
  });
  search.registerUses((tx, searchId) => holds.usesOfSearch(tx, searchId));
  search.registerUses((tx, searchId) => retention.usesOfSearch(tx, searchId));
  return {
    proxyRights,
    auditorAccess: createAuditorAccessFeature({ ...base, ...cases, saved: search.saved }),
    provisioning,
    reporting,
    dashboard,
    people: createPeopleFeature(base),
    discovery,
    restore,
    undo: createUndoFeature(base),
    content,
    accessLog: createAccessLogFeature(base),
    accessRule: createAccessRuleFeature({ ...base, approvals }),
    support: createSupportFeature(base),
    search,
    exports: createExportsFeature({
      ...base,
      ...cases,
      ...reviews,
      ...dataRequests,
      contentOpened,
      saved: search.saved,
    }),
    archive: createArchiveFeature({
      ...base,
      reading: content.reading,
      runs: monitoring.runViews,
      proofs: auditLog.proofs,
      policiesOf: (...message) => retention.policiesOf(...message),
      deletedBy: (...message) => retention.deletedBy(...message),
      missing: (...news) => notifications.archiveIncomplete(...news),
    }),
    deletions: createDeletionsFeature({ ...base, ...erasing }),
    imports: createImportsFeature(base),
    receivers: createReceiversFeature({ ...base, resources, silent: (...news) => notifications.journalSilent(...news) }),
    cases,
    reviews,
    compliance: createComplianceFeature({
      ...base,
      reading: content.reading,
      policiesOf: (...message) => retention.policiesOf(...message),
      policiesOfFile: (...file) => retention.policiesOfFile(...file),
      deletedBy: (...message) => retention.deletedBy(...message),
    }),
    printedReports: createPrintedReportsFeature({ ...base, auditLog: auditLog.log, ...cases, reading: content.reading }),
    procedures: createProceduresFeature({ ...base, remind: (tx, scope, due) => notifications.procedureDue(tx, scope, due) }),
    metrics: createMetricsFeature(base),
    events: createEventsFeature(base),
    legacy: createLegacyFeature({ ...base, ...discovery, ...locations, ...dashboard, restores: restore.views }),
  };
}
