import path from 'node:path';
import type { Database } from '@holdfast/database';
import type { Clock } from '@holdfast/foundation/clock';
import type { Ids } from '@holdfast/foundation/ids';
import type { Logger } from '@holdfast/foundation/logger';
import type { Config } from '../settings/config.ts';
import type { Sealing } from '../keys/sealing.ts';
import type { Feature } from '../platform/feature.ts';
import { createMailFolder } from './folder-transport.ts';
import { createMailQueue, type MailQueue } from './mail-queue.ts';
import { serveMailbox } from './mailbox.routes.ts';
import { createSmtpTransport } from './smtp-transport.ts';

export interface MailPorts {
  readonly config: Pick<Config, 'HOLDFAST_DATA_DIR' | 'HOLDFAST_SMTP_URL' | 'HOLDFAST_MAIL_FROM' | 'HOLDFAST_DEMO_EMAIL'>;
  readonly database: Database;
  readonly sealing: Sealing;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
}

export interface MailFeature extends Feature {
  readonly queue: MailQueue;
}

/** Outgoing mail. Without a mail server it is kept in a folder, and a demo shows what is there. */
export function createMailFeature(ports: MailPorts): MailFeature {
  const { config } = ports;
  const url = config.HOLDFAST_SMTP_URL;
  const outbox = createMailFolder({ ...ports, folder: path.join(config.HOLDFAST_DATA_DIR, 'outbox') });
  const queue = createMailQueue({ ...ports, transport: url ? createSmtpTransport({ url, from: config.HOLDFAST_MAIL_FROM }) : outbox });
  return Object.freeze<MailFeature>({
    queue,
    mount(app) {
      if (config.HOLDFAST_DEMO_EMAIL !== undefined && url === undefined) serveMailbox(app, outbox);
    },
    start: { scheduler: () => queue.start() },
  });
}
