import path from 'node:path';
import type { DestinationBody } from '@holdfast/contract/forwarding';
import type { Database, Scope, Tx } from '@holdfast/database';
import type { Clock } from '@holdfast/foundation/clock';
import { AppError } from '@holdfast/foundation/errors';
import type { Ids } from '@holdfast/foundation/ids';
import type { Logger } from '@holdfast/foundation/logger';
import type { Random } from '@holdfast/foundation/random';
import { inEachRealm } from '../../http/in-each-realm.ts';
import type { Sealing } from '../../keys/sealing.ts';
import type { Feature } from '../../platform/feature.ts';
import { organisationPhrases } from '../../runs/index.ts';
import { publicAddresses } from '../../platform/outgoing-hosts.ts';
import type { Config } from '../../settings/config.ts';
import type { AuditInbox } from '../audit/index.ts';
import type { Choices } from '../identity/index.ts';
import type { DestinationRow } from './destinations.store.ts';
import { mountForwarding } from './forwarding.routes.ts';
import type { StalledDestination } from './deliver.service.ts';
import { createForwardingService } from './forwarding.service.ts';
import { createSecrets } from './secrets.ts';
import { createSender } from './sender.service.ts';
import { targetOf } from './target.policy.ts';
import { isAllowedReceiver, folderOf, receiverOf, transportOf } from './transports.ts';

export interface ForwardingFeaturePorts {
  readonly config: Pick<Config, 'HOLDFAST_DATA_DIR' | 'HOLDFAST_ALLOWED_HOSTS'>;
  readonly database: Database;
  readonly clock: Clock;
  readonly random: Random;
  readonly ids: Ids;
  readonly logger: Logger;
  readonly sealing: Sealing;
  readonly audit: AuditInbox;
  readonly choices: Choices;
  readonly publicUrl: () => string;
  readonly version: string;
  stalled(tx: Tx, scope: Scope, news: StalledDestination): Promise<void>;
}

/** How long one attempt may take; shorter than the lease of a destination. */
const TIMEOUT_MS = 10_000;

/** Refuses a receiver in a network that the operator did not allow. A name that cannot be looked up now may be right later. */
async function checkHost(body: DestinationBody, allowedHosts: readonly string[]): Promise<void> {
  if (body.kind === 'file') return;
  const receiver = receiverOf(targetOf(body));
  if (isAllowedReceiver(receiver, allowedHosts)) return;
  const refused = (): AppError => new AppError('forwarding.host-refused', { details: { field: body.kind === 'syslog' ? 'host' : 'url' } });
  if (!receiver.isEncrypted) throw refused();
  await publicAddresses(receiver.host, refused).catch((error: unknown) => {
    if (error instanceof AppError) throw error;
  });
}

/** Audit events and alarms on their way to other systems. */
export function createForwardingFeature({ choices, ...ports }: ForwardingFeaturePorts): Feature {
  const { config, clock, publicUrl, version } = ports;
  const allowedHosts = config.HOLDFAST_ALLOWED_HOSTS;
  const folder = path.join(config.HOLDFAST_DATA_DIR, 'audit', 'forwarded');
  const secrets = createSecrets(ports.sealing);
  const words = async (scope: Scope) => ({ phrases: await ports.database.within(scope, organisationPhrases), address: publicUrl() });
  const rules = { clock, allowedHosts, folder, publicUrl, version, words, timeoutMs: TIMEOUT_MS };
  const transport = async (scope: Scope, row: DestinationRow) => transportOf(rules, scope, row, await secrets.open(scope, row));
  const service = createForwardingService({
    ...ports,
    secrets,
    transport,
    chosen: choices.chosen,
    checkHost: (body) => checkHost(body, allowedHosts),
    folderOf: (scope, destinationId) => folderOf(folder, scope, destinationId),
  });
  const sender = createSender({ ...ports, transport });
  return Object.freeze<Feature>({
    mount: (app) => inEachRealm((realm) => mountForwarding(app, service, realm)),
    start: { scheduler: () => sender.start() },
  });
}
