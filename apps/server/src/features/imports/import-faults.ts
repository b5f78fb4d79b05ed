import type { Database, Scope } from '@holdfast/database';
import type { FoundFault } from '@holdfast/engine';
import type { Ids } from '@holdfast/foundation/ids';
import { storableText } from '@holdfast/foundation/text';
import type { Vaults } from '../../storage/index.ts';
import type { RunAccountsStore } from '../../runs/index.ts';
import { addFault } from './import-faults.store.ts';

export interface ImportFaultsParts {
  readonly database: Database;
  readonly vaults: Pick<Vaults, 'use'>;
  readonly accounts: Pick<RunAccountsStore, 'addProblems'>;
  readonly ids: Ids;
}

/** The run that met a fault; of a dry run no resource. */
export interface FaultOf {
  readonly scope: Scope;
  readonly runId: string;
  readonly locationId: string;
}

/** Keeps a piece of a file that is no message: where it is, why, and its bytes, in the vault before its row. */
export async function keepFault(parts: ImportFaultsParts, { scope, runId, locationId }: FaultOf, fault: FoundFault): Promise<void> {
  const { database, vaults, ids } = parts;
  const { place, fileName, offset, code, bytes } = fault;
  const fault_id = ids.uuid();
  if (bytes.byteLength > 0) await vaults.use(scope, locationId, (vault) => vault.documents.put(fault_id, bytes));
  const row = {
    fault_id,
    run_id: runId,
    place: [...place],
    file_name: storableText(fileName),
    offset_at: offset,
    code,
    size_bytes: bytes.byteLength,
    location_id: locationId,
  };
  if (await database.within(scope, (tx) => addFault(tx, row))) return;
  await vaults.use(scope, locationId, (vault) => vault.documents.remove(fault_id));
}
