import path from 'node:path';
import type { Database, Scope } from '@holdfast/database';
import type { JsonObject, ReceivedMail } from '@holdfast/engine';
import { now, type Clock } from '@holdfast/foundation/clock';
import { isAppError } from '@holdfast/foundation/errors';
import type { Logger } from '@holdfast/foundation/logger';
import { repeat } from '@holdfast/foundation/repeating';
import type { Config } from '../../settings/config.ts';
import { listenerCertificate, type ListenerCertificate } from './certificate.ts';
import type { OpenAddresses } from './open-addresses.ts';
import { changeReceiver } from './receivers.store.ts';
import type { JournalPlace, ReceivingService } from './receiving.service.ts';
import { createByteBudget, listen, ordinaryLimits, type Listener, type ListenerLimits } from './smtp/smtp-listener.ts';
import type { IncomingMail } from './smtp/smtp-session.ts';

export type ListenerSettings = Pick<
  Config,
  | 'HOLDFAST_DATA_DIR'
  | 'HOLDFAST_RECEIVER_PORT'
  | 'HOLDFAST_RECEIVER_BIND'
  | 'HOLDFAST_RECEIVER_HOST'
  | 'HOLDFAST_RECEIVER_CERTIFICATE'
  | 'HOLDFAST_RECEIVER_KEY'
  | 'HOLDFAST_RECEIVER_CONNECTIONS'
  | 'HOLDFAST_RECEIVER_MEMORY'
>;

export interface MailListenerParts {
  readonly config: ListenerSettings;
  readonly database: Database;
  readonly addresses: OpenAddresses;
  readonly receiving: ReceivingService;
  /** What the signatures of a message are worth on arrival. */
  verdicts(message: Buffer): Promise<JsonObject | undefined>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly limits?: Partial<ListenerLimits>;
}

export interface MailListener {
  readonly port: number;
  close(): Promise<void>;
}

const MEGABYTE = 1024 * 1024;
const TELL_MS = 1_000;
const SEEN_MS = 60_000;
const DAY_MS = 24 * 3_600_000;

type News = { last_received_at?: Date; last_failed_at?: Date; last_failure?: string };

/** What receivers are told of, once a second: the page shows it, and the alarm of silence goes by it. */
function createTelling({ database, clock, logger }: Pick<MailListenerParts, 'database' | 'clock' | 'logger'>) {
  const told = new Map<string, { readonly scope: Scope; readonly news: News }>();
  async function tell(): Promise<void> {
    const due = [...told];
    told.clear();
    for (const [receiverId, { scope, news }] of due) await database.within(scope, (tx) => changeReceiver(tx, receiverId, news));
  }
  const stop = repeat({
    clock,
    everyMs: TELL_MS,
    turn: tell,
    onError: (error) => logger.warn({ err: error }, 'the state of a receiver could not be noted'),
  });
  return {
    add: ({ receiverId, scope }: JournalPlace, news: News) =>
      void told.set(receiverId, { scope, news: { ...told.get(receiverId)?.news, ...news } }),
    async stop() {
      await stop();
      await tell().catch(() => undefined);
    },
  };
}

/** Takes one mail into every journal that it was sent to. */
async function receive(
  parts: MailListenerParts,
  tell: ReturnType<typeof createTelling>,
  incoming: IncomingMail<JournalPlace>,
): Promise<void> {
  const { receiving, clock } = parts;
  const { raw, client, mailFrom, places } = incoming;
  const arrivedAt = now(clock);
  const mail: ReceivedMail = { raw, arrivedAt, client, mailFrom, verdicts: (message) => parts.verdicts(message) };
  for (const place of places) {
    try {
      await receiving.take(place, mail);
      tell.add(place, { last_received_at: now(clock) });
    } catch (error) {
      tell.add(place, { last_failed_at: now(clock), last_failure: isAppError(error) ? error.code : 'internal' });
      throw error;
    }
  }
}

const givenOf = ({ HOLDFAST_RECEIVER_CERTIFICATE: certificate, HOLDFAST_RECEIVER_KEY: key }: ListenerSettings) =>
  certificate === undefined || key === undefined ? undefined : { certificate, key };

/** Tells every open receiver who listens for it, and with which certificate. */
async function tellSeen(parts: MailListenerParts, port: number, certificate: ListenerCertificate): Promise<void> {
  const seen = {
    listening_at: now(parts.clock),
    listening_host: parts.config.HOLDFAST_RECEIVER_HOST,
    listening_port: port,
    certificate_ends_at: certificate.endsAt,
    certificate_sha256: certificate.sha256,
    certificate: certificate.pem,
  };
  for (const { place } of (await parts.addresses.all()).values())
    await parts.database.within(place.scope, (tx) => changeReceiver(tx, place.receiverId, seen));
}

/** Listens for journal mail until it is closed. Undefined where no port is set: receivers are off until then. */
export async function startMailListener(parts: MailListenerParts): Promise<MailListener | undefined> {
  const { config, clock, logger, addresses } = parts;
  const { HOLDFAST_RECEIVER_PORT: port, HOLDFAST_RECEIVER_HOST: hostName, HOLDFAST_DATA_DIR: data } = config;
  if (port === undefined) return undefined;
  const certified = { hostName, folder: path.join(data, 'receiver'), given: givenOf(config), clock };
  let certificate = await listenerCertificate(certified);
  const telling = createTelling(parts);
  const onError = (error: unknown): void => logger.warn({ err: error }, 'a journal mail could not be taken in; its sender tries again');
  const listener: Listener = await listen<JournalPlace>({
    hostName,
    secureContext: () => certificate.context,
    maxBytes: 200 * MEGABYTE,
    budget: createByteBudget(config.HOLDFAST_RECEIVER_MEMORY * MEGABYTE),
    recipient: (address, client) => addresses.recipient(address, client),
    receive: (incoming) => receive(parts, telling, incoming),
    onError,
    clock,
    bind: config.HOLDFAST_RECEIVER_BIND,
    port,
    limits: { ...ordinaryLimits, connections: config.HOLDFAST_RECEIVER_CONNECTIONS, ...parts.limits },
  });
  logger.info({ event: 'receiver-listening', port: listener.port, hostName }, 'listening for journal mail');
  const seen = async (): Promise<void> => tellSeen(parts, listener.port, certificate);
  const noteFailed = (error: unknown): void => logger.warn({ err: error }, 'the listener of journal mail could not be noted');
  const stopSeen = repeat({ clock, everyMs: SEEN_MS / 12, turn: seen, onError: noteFailed });
  const renew = async (): Promise<void> => {
    certificate = await listenerCertificate(certified);
  };
  const stopRenewing = repeat({ clock, everyMs: DAY_MS, turn: renew, onError: noteFailed });
  await seen().catch(noteFailed);
  return {
    port: listener.port,
    async close() {
      await stopSeen();
      await stopRenewing();
      await listener.close();
      await telling.stop();
    },
  };
}
