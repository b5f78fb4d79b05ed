import type { Database } from '@holdfast/database';
import type { Clock } from '@holdfast/foundation/clock';
import type { Ids } from '@holdfast/foundation/ids';
import type { Logger } from '@holdfast/foundation/logger';
import { repeat } from '@holdfast/foundation/repeating';
import type { Random } from '@holdfast/foundation/random';
import { inEachRealm } from '../../http/in-each-realm.ts';
import type { MailQueue } from '../../mail/mail-queue.ts';
import type { Feature } from '../../platform/feature.ts';
import type { AuditInbox } from '../audit/index.ts';
import { mountHoldNotices } from './hold-notices.routes.ts';
import { createHoldNoticesService } from './hold-notices.service.ts';
import { createHoldNoticesStore } from './hold-notices.store.ts';
import { createNoticeLinksService } from './notice-links.service.ts';
import { createReminders, type Reminders } from './notice-reminders.ts';
import { createSendNotice } from './notice-sending.ts';

/** What notices of legal holds stand on. */
export interface HoldNoticesPorts {
  readonly database: Database;
  readonly audit: AuditInbox;
  readonly mail: MailQueue;
  readonly hasMailTransport: boolean;
  readonly publicUrl: () => string;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly random: Random;
  readonly logger: Logger;
}

export interface HoldNoticesFeature extends Feature {
  readonly reminders: Reminders;
}

const SWEEP_MS = 60_000;

/** Notices over the mail queue of the process. */
export function createHoldNoticesFeature(ports: HoldNoticesPorts): HoldNoticesFeature {
  const { database, clock, logger, hasMailTransport: isMailed } = ports;
  const store = createHoldNoticesStore(database);
  const send = createSendNotice({ ...ports, store, isMailed });
  const services = {
    notices: createHoldNoticesService({ ...ports, store, send, isMailed }),
    links: createNoticeLinksService({ ...ports, store }),
  };
  const reminders = createReminders({ ...ports, store, send });
  return Object.freeze<HoldNoticesFeature>({
    reminders,
    mount: (app) => inEachRealm((realm) => mountHoldNotices(app, services, realm)),
    start: {
      scheduler: () =>
        repeat({
          clock,
          everyMs: SWEEP_MS,
          turn: () => reminders.sweep(),
          onError: (error) => logger.warn({ err: error }, 'reminders of holds could not be queued'),
        }),
    },
  });
}
