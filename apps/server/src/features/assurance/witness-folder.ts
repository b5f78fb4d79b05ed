import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Logger } from '@holdfast/foundation/logger';
import { writeWholeFile } from '@holdfast/foundation/whole-file';
import { parseWitness, type HeadsWitness, type Vault } from '@holdfast/vault';

/** What a vault is held against beside the catalog. */
export interface SecondWitness {
  readonly witnesses: readonly HeadsWitness[];
  /** Something is there that says nothing: it can't be read, or this vault did not sign it. */
  readonly isUnusable: boolean;
}

/** A folder outside of the vaults and of the database with the newest witness of each vault: the operator chooses whether there is one. */
export interface WitnessFolder {
  readonly isThere: boolean;
  read(vault: Vault): Promise<SecondWitness>;
  /** Keeps what a vault holds now. A folder that takes nothing is told in the log, and stops nobody. */
  keep(witness: HeadsWitness): Promise<void>;
}

const NOTHING: SecondWitness = { witnesses: [], isUnusable: false };

function isMissing(error: unknown): boolean {
  return (error as { code?: unknown }).code === 'ENOENT';
}

export function createWitnessFolder({ folder, logger }: { readonly folder: string | undefined; readonly logger: Logger }): WitnessFolder {
  const fileOf = (vaultId: string): string => path.join(folder ?? '', `${vaultId}.json`);
  return Object.freeze<WitnessFolder>({
    isThere: folder !== undefined,
    async read(vault) {
      if (folder === undefined) return NOTHING;
      try {
        const witness = parseWitness(await readFile(fileOf(vault.info.vaultId), 'utf8'));
        const isUsable = witness !== undefined && vault.maintenance.isOwnWitness(witness);
        return isUsable ? { witnesses: [witness], isUnusable: false } : { witnesses: [], isUnusable: true };
      } catch (error) {
        if (isMissing(error)) return NOTHING;
        logger.error({ err: error, vaultId: vault.info.vaultId }, 'the witness of a vault could not be read');
        return { witnesses: [], isUnusable: true };
      }
    },
    async keep(witness) {
      if (folder === undefined) return;
      const file = fileOf(witness.vaultId);
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        await writeWholeFile(file, JSON.stringify(witness), { mode: 0o600 });
      } catch (error) {
        logger.error({ err: error, vaultId: witness.vaultId }, 'the witness of a vault could not be kept');
      }
    },
  });
}
