import type { Database, Scope, Tx } from '@holdfast/database';
import type { Catalog } from '@holdfast/engine';
import type { Clock } from '@holdfast/foundation/clock';
import type { Ids } from '@holdfast/foundation/ids';
import type { Logger } from '@holdfast/foundation/logger';
import type { Random } from '@holdfast/foundation/random';
import { inEachRealm } from '../../http/in-each-realm.ts';
import type { Sealing } from '../../keys/sealing.ts';
import type { Feature, Stop } from '../../platform/feature.ts';
import type { Config } from '../../settings/config.ts';
import { createLease, type ResourcesStore, type Vaults } from '../../storage/index.ts';
import type { AuditInbox } from '../audit/index.ts';
import type { TenantGraph } from '../backup/index.ts';
import { createLocalParts } from './addresses.ts';
import { createAddressHistory } from './directory.service.ts';
import { createDistribution } from './distribution.service.ts';
import { instanceIdOf } from './instance.ts';
import { startMailListener } from './listener.service.ts';
import { createOpenAddresses } from './open-addresses.ts';
import { mountReceivers } from './receivers.routes.ts';
import { createReceivers } from './receivers.service.ts';
import { createReceivingService } from './receiving.service.ts';
import { createSilenceWatch, type SilenceParts } from './silence.service.ts';
import { createVerdicts, dnsLookUp } from './verdicts.ts';

export interface ReceiversPorts {
  readonly config: Config;
  readonly database: Database;
  readonly vaults: Vaults;
  readonly resources: ResourcesStore;
  readonly graph: TenantGraph;
  readonly sealing: Sealing;
  readonly audit: AuditInbox;
  readonly clock: Clock;
  readonly random: Random;
  readonly ids: Ids;
  readonly logger: Logger;
  scopes(): Promise<readonly Scope[]>;
  catalogOf(scope: Scope, locationId: string): Catalog;
  silent(tx: Tx, scope: Scope, news: Parameters<SilenceParts['silent']>[2]): Promise<void>;
}

async function startWork(ports: ReceiversPorts): Promise<Stop> {
  const { config, database, clock, ids } = ports;
  const isListening = config.HOLDFAST_RECEIVER_PORT !== undefined;
  const instanceId = isListening ? await instanceIdOf(config.HOLDFAST_DATA_DIR, ids) : ids.uuid();
  const leaseOf = (scope: Scope, locationId: string) => createLease({ database, scope, locationId, clock, ids });
  const parts = { ...ports, instanceId, leaseOf };
  const receiving = createReceivingService(parts);
  const addresses = createOpenAddresses({ ...ports, localParts: createLocalParts(ports.sealing) });
  const verdicts = createVerdicts(dnsLookUp(config.HOLDFAST_RECEIVER_DNS, clock));
  const listener = await startMailListener({ ...ports, addresses, receiving, verdicts });
  const stopDistribution = createDistribution({ ...parts, history: createAddressHistory(ports) }).start();
  return async () => {
    await listener?.close();
    await receiving.close();
    await stopDistribution();
  };
}

/** Journal mail by SMTP, on its way into archives. */
export function createReceiversFeature(ports: ReceiversPorts): Feature {
  const localParts = createLocalParts(ports.sealing);
  const service = createReceivers({ ...ports, localParts, hostName: ports.config.HOLDFAST_RECEIVER_HOST });
  return Object.freeze<Feature>({
    mount: (app) => inEachRealm((realm) => mountReceivers(app, { ...ports, service }, realm)),
    start: {
      worker: () => startWork(ports),
      scheduler: () => createSilenceWatch(ports).start(),
    },
  });
}
