import type { Database } from '@holdfast/database';
import type { Clock } from '@holdfast/foundation/clock';
import type { Logger } from '@holdfast/foundation/logger';
import type { MailQueue } from '../../mail/mail-queue.ts';
import { allScopes } from '../organisations/index.ts';
import { createNotifications, type Notifications } from './notifications.service.ts';
import { createNotificationsStore } from './notifications.store.ts';

/** What notifications stand on. */
export interface NotificationsPorts {
  readonly database: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly mail: MailQueue;
  readonly publicUrl: () => string;
}

/** Mails about runs and days, over the mail queue of the process. */
export function createNotificationsFeature({ database, clock, logger, mail, publicUrl }: NotificationsPorts): Notifications {
  return createNotifications({
    store: createNotificationsStore(database),
    mail,
    scopes: () => allScopes(database),
    publicUrl,
    clock,
    logger,
  });
}
