import { createMemoryBudgets, type BudgetPort } from '@holdfast/m365';
import { basePathsOf, importRootsOf } from '../settings/config.ts';
import { createApiKeysFeature, type ApiKeysFeature } from '../features/api-keys/index.ts';
import { createApprovalsFeature } from '../features/approvals/index.ts';
import { awaitedAmong, createArchiveFeature } from '../features/archive/index.ts';
import { createAssuranceFeature } from '../features/assurance/index.ts';
import { createAuditFeature } from '../features/audit/index.ts';
import { createGraphBudgets } from '../features/backup/index.ts';
import { createResourcesStore, createStorageFeature } from '../storage/index.ts';
import { createAuditorAccessFeature } from '../features/auditor-access/index.ts';
import { createCasesFeature } from '../features/cases/index.ts';
import { createComplianceFeature } from '../features/compliance/index.ts';
import { createConfigurationFeature } from '../features/configuration/index.ts';
import { createAccessLogFeature } from '../features/access-log/index.ts';
import { createAccessRuleFeature } from '../features/content-access/index.ts';
import { createContentFeature } from '../features/content/index.ts';
import { createDataRequestsFeature } from '../features/data-requests/index.ts';
import { createDashboardFeature } from '../features/dashboard/index.ts';
import { createDeletionsFeature, type DeletionKeepers } from '../features/deletions/index.ts';
import { createDiscoveryFeature } from '../features/discovery/index.ts';
import { createDocumentsFeature } from '../features/documents/index.ts';
import { createExportsFeature } from '../features/exports/index.ts';
import { createForwardingFeature } from '../features/forwarding/index.ts';
import { createHoldNoticesFeature } from '../features/hold-notices/index.ts';
import { createHoldsFeature } from '../features/holds/index.ts';
import { identityOptionsOf } from '../features/identity/index.ts';
import { createImportsFeature } from '../features/imports/index.ts';
import { createJobsFeature } from '../features/jobs/index.ts';
import { createLocationsFeature } from '../features/locations/index.ts';
import { createMetricsFeature } from '../features/metrics/index.ts';
import { createMicrosoftSignInFeature } from '../features/microsoft-sign-in/index.ts';
import { createMonitoringFeature } from '../features/monitoring/index.ts';
import { createNotificationsFeature } from '../features/notifications/index.ts';
import { createAccessFeature } from '../features/organisations/index.ts';
import { createPeopleFeature } from '../features/people/index.ts';
import { createPeriodReportsFeature } from '../features/period-reports/index.ts';
import { createPrintedReportsFeature } from '../features/printed-reports/index.ts';
import { createProceduresFeature } from '../features/procedures/index.ts';
import { createProvisioningFeature } from '../features/provisioning/index.ts';
import { createProxyRightsFeature } from '../features/proxy-rights/index.ts';
import { createReceiversFeature } from '../features/receivers/index.ts';
import { createReportingFeature } from '../features/reporting/index.ts';
import { createRestoreFeature } from '../features/restore/index.ts';
import { createRetentionFeature } from '../features/retention/index.ts';
import { createReviewsFeature } from '../features/reviews/index.ts';
import { createSearchFeature } from '../features/search/index.ts';
import { createSupportFeature } from '../features/support/index.ts';
import { createTenantsFeature } from '../features/tenants/index.ts';
import { createTimestampsFeature } from '../features/timestamps/index.ts';
import { createWorkersFeature } from '../features/workers/index.ts';
import type { Ground } from './ground.ts';
import { createLegacyFeature } from '../legacy/feature.ts';
import { composeKinds } from './job-kinds.ts';
import { createMailFeature } from '../mail/feature.ts';
import { createJobKinds } from '../runs/kinds.ts';
import { createEventsFeature } from '../events/feature.ts';
import { createWorkFeature } from '../runs/feature.ts';

/** Budgets of Microsoft 365: in this process when it is the only one, in the database when there may be others. */
function budgetsOf({ config, database, clock, ids }: Ground): BudgetPort {
  return config.HOLDFAST_DATABASE_URL ? createGraphBudgets({ database, ids }) : createMemoryBudgets({ clock, ids });
}

function recognisesScans({ HOLDFAST_OCR }: Ground['config']): boolean {
  return HOLDFAST_OCR === 'on';
}

/** Who comes in and on whose behalf, and what they have connected. */
function composeGate(ground: Ground) {
  const { config } = ground;
  const mail = createMailFeature(ground);
  const base = { ...ground, mail: mail.queue };
  const approvals = createApprovalsFeature(base);
  const holds = createHoldsFeature({ ...base, recognisesScans: recognisesScans(config) }, approvals);
  const hasMailTransport = config.HOLDFAST_SMTP_URL !== undefined;
  const holdNotices = createHoldNoticesFeature({ ...base, hasMailTransport });
  const retention = createRetentionFeature(
    {
      ...base,
      holdsOnArchive: (...mailbox) => holds.holdsOnArchive(...mailbox),
      recognisesScans: recognisesScans(config),
      tellReviewers: (...waiting) => notifications.reviewWaiting(...waiting),
      graph: { use: (...asked) => tenants.graph.use(...asked) },
    },
    approvals,
  );
  const keptIn: typeof retention.keptIn = (...place) => retention.keptIn(...place);
  const workers = createWorkersFeature(base);
  const access = createAccessFeature(
    {
      ...base,
      hasMailTransport,
      basePaths: basePathsOf(config),
      options: identityOptionsOf(config),
      approverDays: config.HOLDFAST_APPROVER_DAYS,
      onFounded: (organisationId) => workers.onFounded(organisationId),
      onLeft: (...left) => apiKeys.endOf(...left),
    },
    config,
  );
  const apiKeys: ApiKeysFeature = createApiKeysFeature({ ...base, ...access });
  const microsoftSignIn = createMicrosoftSignInFeature({ ...base, ...access });
  const notifications: ReturnType<typeof createNotificationsFeature> = createNotificationsFeature(base);
  const timestamps = createTimestampsFeature({
    ...base,
    newest: () => auditLog.newestCheckpoint(),
    stalled: (missing) => notifications.timestampsStalled(missing),
  });
  const auditLog = createAuditFeature({ ...base, stamps: timestamps.stamps, deviated: (result) => notifications.auditDeviated(result) });
  const forwarding = createForwardingFeature({ ...base, stalled: (...news) => notifications.forwardingStalled(...news) });
  const tenants = createTenantsFeature({
    ...base,
    budgets: budgetsOf(ground),
    heldBy: (tx, tenantId) => holds.heldBy(tx, tenantId),
    keptIn,
  });
  const locations = createLocationsFeature({ ...base, approvals, keptIn });
  const configuration = createConfigurationFeature({ ...base, ...tenants });
  return {
    mail,
    approvals,
    holds,
    holdNotices,
    retention,
    workers,
    access,
    apiKeys,
    microsoftSignIn,
    notifications,
    auditLog,
    timestamps,
    forwarding,
    tenants,
    locations,
    configuration,
  };
}

/** What people have ordered to be kept, message by message and file by file. */
function archiveKeepers({ holds, retention }: Pick<ReturnType<typeof composeGate>, 'holds' | 'retention'>): DeletionKeepers {
  return {
    holds: (...mailbox) => holds.holdsOnArchive(...mailbox),
    policies: (...messages) => retention.policiesOfMessages(...messages),
    holdsWithin: (...place) => holds.holdsWithin(...place),
    policiesOfFile: (...file) => retention.policiesOfFile(...file),
    async policiesOfAwaited(tx, { resourceId: mailboxId, messageIds, ...when }) {
      const awaited = await awaitedAmong(tx, mailboxId, messageIds);
      return retention.policiesOfAwaited(tx, { mailboxId, messageIds: awaited, ...when });
    },
  };
}

/** What runs, and where it keeps what it has read. */
function composeWork(ground: Ground, gate: ReturnType<typeof composeGate>) {
  const { approvals, holds, retention, notifications, tenants, locations, configuration } = gate;
  const storage = createStorageFeature({ ...ground, ...locations });
  const monitoring = createMonitoringFeature(ground);
  const resources = createResourcesStore(ground);
  const base = { ...ground, ...configuration, graph: tenants.graph, ...storage, ...monitoring, resources };
  const assurance = createAssuranceFeature(base);
  const contentOpened: typeof notifications.contentOpened = (...opening) => notifications.contentOpened(...opening);
  const documents = createDocumentsFeature(base);
  const periodReports = createPeriodReportsFeature({
    ...base,
    documents: documents.stored,
    notify: (tx, scope, news) => notifications.reportMade(tx, scope, news),
  });
  const dataRequests = createDataRequestsFeature({ ...base, remind: (tx, scope, due) => notifications.requestDue(tx, scope, due) });
  const kinds = createJobKinds(
    composeKinds({
      ...base,
      ...assurance,
      keptOn: async (...asked) => ({ holds: await holds.holdsOn(...asked), minimums: await retention.minimumsOn(...asked) }),
      keptWithin: async (...asked) => ({ holds: await holds.holdsWithin(...asked), minimums: await retention.minimumsWithin(...asked) }),
      archiveKeepers: archiveKeepers(gate),
      dueMessages: retention.due,
      contentOpened,
      importRoots: importRootsOf(ground.config),
      monthlyReports: periodReports.kind,
    }),
  );
  const jobs = createJobsFeature({ ...base, kinds, approvals });
  const work = createWorkFeature({
    ...base,
    handlers: kinds.handlers,
    onEnded: [(scope, run) => notifications.runEnded(scope, run.runId), (scope, run) => assurance.keepWitness(scope, run)],
  });
  return { storage, monitoring, assurance, documents, periodReports, dataRequests, jobs, work, resources, contentOpened };
}

/** What people see and do with what is kept. */
function composePages(ground: Ground, gate: ReturnType<typeof composeGate>, work: Omit<ReturnType<typeof composeWork>, 'work'>) {
  const { approvals, holds, retention, notifications, auditLog, tenants, locations, configuration } = gate;
  const { storage, monitoring, documents, dataRequests, jobs, resources, contentOpened } = work;
  const base = { ...ground, graph: tenants.graph, vaults: storage.vaults, runViews: monitoring.runViews, ...jobs };
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
  const reviews = createReviewsFeature({ ...base, ...cases, runs: monitoring.runs });
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
      runs: monitoring.runs,
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
      runs: monitoring.runs,
      policiesOfFile: (...file) => retention.policiesOfFile(...file),
    }),
    printedReports: createPrintedReportsFeature({ ...base, auditLog: auditLog.log, ...cases, reading: content.reading }),
    procedures: createProceduresFeature({ ...base, remind: (tx, scope, due) => notifications.procedureDue(tx, scope, due) }),
    metrics: createMetricsFeature(base),
    events: createEventsFeature(base),
    legacy: createLegacyFeature({ ...base, ...discovery, ...locations, ...dashboard, restores: restore.views }),
  };
}

/** Every feature of a process by its name, in the order in which they start. */
export function composeFeatures(ground: Ground) {
  const gate = composeGate(ground);
  const { resources, contentOpened, ...work } = composeWork(ground, gate);
  return { ...gate, ...work, ...composePages(ground, gate, { ...work, resources, contentOpened }) };
}
