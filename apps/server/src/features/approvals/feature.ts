import type { Clock } from '@holdfast/foundation/clock';
import type { Database } from '@holdfast/database';
import type { Ids } from '@holdfast/foundation/ids';
import type { Logger } from '@holdfast/foundation/logger';
import type { Config } from '../../settings/config.ts';
import { inEachRealm } from '../../http/in-each-realm.ts';
import type { MailQueue } from '../../mail/mail-queue.ts';
import type { Feature } from '../../platform/feature.ts';
import type { AuditInbox } from '../audit/index.ts';
import { createApproverReader } from '../organisations/index.ts';
import { createApprovalLetters } from './approval-letters.ts';
import { mountApprovals } from './approvals.routes.ts';
import { createApprovals, type Approvals } from './approvals.service.ts';
import { createApprovalsStore } from './approvals.store.ts';

export interface ApprovalsPorts {
  readonly config: Pick<Config, 'HOLDFAST_APPROVER_DAYS'>;
  readonly database: Database;
  readonly audit: AuditInbox;
  readonly mail: MailQueue;
  readonly publicUrl: () => string;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
}

export interface ApprovalsFeature extends Approvals, Feature {}

const SWEEP_MS = 60_000;

/** Four eyes, over the mail queue of the process. */
export function createApprovalsFeature(ports: ApprovalsPorts): ApprovalsFeature {
  const { config, database, mail, publicUrl, clock, logger } = ports;
  const approvals = createApprovals({
    ...ports,
    store: createApprovalsStore(database),
    approvers: createApproverReader(config.HOLDFAST_APPROVER_DAYS),
    letters: createApprovalLetters(mail, publicUrl),
  });
  return Object.freeze<ApprovalsFeature>({
    ...approvals,
    mount: (app) => inEachRealm((realm) => mountApprovals(app, approvals, realm)),
    start: {
      scheduler: () =>
        clock.every(SWEEP_MS, () => {
          approvals.sweep().catch((error: unknown) => logger.warn({ err: error }, 'approvals could not come into force'));
        }),
    },
  });
}
