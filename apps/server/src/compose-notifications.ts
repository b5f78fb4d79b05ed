import type { Ground } from './compose-ground.ts';
import { createNotifications, createNotificationsStore, type Notifications } from './features/notifications/index.ts';
import { allScopes } from './features/organisations/index.ts';
import type { MailQueue } from './mail/mail-queue.ts';

/** Mails about runs and days, over the mail queue of the process. */
export function composeNotifications({ database, clock, logger }: Ground, mail: MailQueue, publicUrl: () => string): Notifications {
  return createNotifications({
    store: createNotificationsStore(database),
    mail,
    scopes: () => allScopes(database),
    publicUrl,
    clock,
    logger,
  });
}
