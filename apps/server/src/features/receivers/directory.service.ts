import type { Database, Scope } from '@holdfast/database';
import { now, type Clock } from '@holdfast/foundation/clock';
import type { Logger } from '@holdfast/foundation/logger';
import type { GraphClient } from '@holdfast/m365';
import { exemptFromArchives, membersOfExempt } from '../archive/index.ts';
import type { TenantGraph } from '../backup/index.ts';
import { addressesOf } from '../proxy-rights/index.ts';
import { rememberAddresses, rememberKept, type KnownAddress } from './addresses.store.ts';

export interface DirectoryParts {
  readonly database: Database;
  readonly graph: TenantGraph;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The history of addresses: what the directory ever said of somebody stays known. */
export interface AddressHistory {
  /** Reads the directory, unless that was done a short while ago. Never throws: without it the last state counts. */
  refresh(scope: Scope, tenantId: string): Promise<void>;
}

const FRESH_MS = 15 * 60_000;
const AGAIN_MS = 60_000;
const BATCH = 2_000;

async function* addressesIn(graph: GraphClient, exempt: ReadonlySet<string>): AsyncGenerator<KnownAddress> {
  for await (const user of graph.directory.users()) {
    const { id: graphId, displayName, mail, userPrincipalName } = user;
    if (typeof graphId !== 'string') continue;
    const mailbox = mail ?? userPrincipalName ?? '';
    const named = { graphId, name: displayName ?? mailbox, mailbox, isExempt: exempt.has(graphId) };
    for (const address of addressesOf(user)) yield { address, ...named };
  }
}

export function createAddressHistory({ database, graph, clock, logger }: DirectoryParts): AddressHistory {
  const nextMs = new Map<string, number>();

  async function read(scope: Scope, tenantId: string): Promise<void> {
    const at = now(clock);
    await database.within(scope, (tx) => rememberKept(tx, tenantId, at));
    const exempt = await database.within(scope, (tx) => exemptFromArchives(tx, tenantId));
    await graph.use(scope, tenantId, async (client) => {
      let found: KnownAddress[] = [];
      const write = async (): Promise<void> => {
        const batch = found;
        found = [];
        await database.within(scope, (tx) => rememberAddresses(tx, tenantId, batch, at));
      };
      for await (const one of addressesIn(client, await membersOfExempt(client, exempt))) {
        found.push(one);
        if (found.length >= BATCH) await write();
      }
      await write();
    });
  }

  return Object.freeze<AddressHistory>({
    async refresh(scope, tenantId) {
      const key = `${scope.organisationId}/${scope.realm}/${tenantId}`;
      if ((nextMs.get(key) ?? 0) > clock.monotonicMs()) return;
      try {
        await read(scope, tenantId);
        nextMs.set(key, clock.monotonicMs() + FRESH_MS);
      } catch (error) {
        nextMs.set(key, clock.monotonicMs() + AGAIN_MS);
        logger.warn({ err: error, tenantId }, 'the directory could not be read; journal mail goes by the addresses that are known');
      }
    },
  });
}
