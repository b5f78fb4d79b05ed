import { createMemoryBudgets, type BudgetPort } from '@holdfast/m365';
import { basePathsOf, recognisesScans } from '../settings/config.ts';
import { createApiKeysFeature, type ApiKeysFeature } from '../features/api-keys/index.ts';
import { createApprovalsFeature } from '../features/approvals/index.ts';
import { createAuditFeature } from '../features/audit/index.ts';
import { createGraphBudgets } from '../features/backup/index.ts';
import { createConfigurationFeature } from '../features/configuration/index.ts';
import { createForwardingFeature } from '../features/forwarding/index.ts';
import { createHoldNoticesFeature } from '../features/hold-notices/index.ts';
import { createHoldsFeature } from '../features/holds/index.ts';
import { identityOptionsOf } from '../features/identity/index.ts';
import { createLocationsFeature } from '../features/locations/index.ts';
import { createMicrosoftSignInFeature } from '../features/microsoft-sign-in/index.ts';
import { createNotificationsFeature } from '../features/notifications/index.ts';
import { createAccessFeature } from '../features/organisations/index.ts';
import { createRetentionFeature } from '../features/retention/index.ts';
import { createTenantsFeature } from '../features/tenants/index.ts';
import { createTimestampsFeature } from '../features/timestamps/index.ts';
import { createWorkersFeature } from '../features/workers/index.ts';
import type { Ground } from './ground.ts';
import { createMailFeature } from '../mail/feature.ts';

/** Budgets of Microsoft 365: in this process when it is the only one, in the database when there may be others. */
function budgetsOf({ config, database, clock, ids }: Ground): BudgetPort {
  return config.HOLDFAST_DATABASE_URL ? createGraphBudgets({ database, ids }) : createMemoryBudgets({ clock, ids });
}

/** Who comes in and on whose behalf, and what they have connected. */
export function composeGate(ground: Ground) {
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

export type Gate = ReturnType<typeof composeGate>;
