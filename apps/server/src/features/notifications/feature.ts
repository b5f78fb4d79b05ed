import type { Database, Scope } from '@holdfast/database';
import type { Clock } from '@holdfast/foundation/clock';
import type { Logger } from '@holdfast/foundation/logger';
import type { MailQueue } from '../../mail/mail-queue.ts';
import type { AuditInbox } from '../audit/index.ts';
import type { Feature } from '../../platform/feature.ts';
import { createNotifications, type Notifications } from './notifications.service.ts';
import { createNotificationsStore } from './notifications.store.ts';

/** What notifications stand on. */
export interface NotificationsPorts {
  readonly database: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly mail: MailQueue;
  readonly audit: AuditInbox;
  readonly publicUrl: () => string;
  scopes(): Promise<readonly Scope[]>;
}

export interface NotificationsFeature extends Notifications, Feature {}

const SWEEP_MS = 60_000;

/** Mails about runs and days, over the mail queue of the process. */
export function createNotificationsFeature(ports: NotificationsPorts): NotificationsFeature {
  const { database, clock, logger } = ports;
  const notifications = createNotifications({ ...ports, store: createNotificationsStore(database) });
  return Object.freeze<NotificationsFeature>({
    ...notifications,
    start: {
      scheduler: () =>
        clock.every(SWEEP_MS, () => {
          notifications.sweep().catch((error: unknown) => logger.warn({ err: error }, 'notifications could not be sent'));
        }),
    },
  });
}
