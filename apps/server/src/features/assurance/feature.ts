import type { Database } from '@holdfast/database';
import type { Logger } from '@holdfast/foundation/logger';
import type { Config } from '../../settings/config.ts';
import type { Feature } from '../../platform/feature.ts';
import type { AuditInbox } from '../audit/index.ts';
import type { Vaults } from '../../storage/index.ts';
import { createKeepWitness } from './keep-witness.ts';
import { createVaultMemoryStore, type VaultMemoryStore } from './vault-memory.store.ts';
import { createWitnessFolder, type WitnessFolder } from './witness-folder.ts';

export interface AssurancePorts {
  readonly config: Pick<Config, 'HOLDFAST_WITNESS_DIR'>;
  readonly database: Database;
  readonly audit: AuditInbox;
  readonly logger: Logger;
  readonly vaults: Vaults;
}

/** What is remembered of vaults outside of them: in the database, and in a second place where the operator has chosen one. */
export interface AssuranceFeature extends Feature {
  readonly memory: VaultMemoryStore;
  readonly witnesses: WitnessFolder;
  /** Writes down how far the vault is, after a run that has stored something. */
  readonly keepWitness: ReturnType<typeof createKeepWitness>;
}

export function createAssuranceFeature(ports: AssurancePorts): AssuranceFeature {
  const { config, database, audit, logger } = ports;
  const memory = createVaultMemoryStore(database, audit);
  const witnesses = createWitnessFolder({ folder: config.HOLDFAST_WITNESS_DIR, logger });
  return Object.freeze<AssuranceFeature>({ memory, witnesses, keepWitness: createKeepWitness({ ...ports, memory, witnesses }) });
}
