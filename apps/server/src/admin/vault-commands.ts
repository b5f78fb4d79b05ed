import type { Command } from './command.ts';
import { vaultCat } from './vault-cat.ts';
import { vaultCopy } from './vault-copy.ts';
import { vaultExport } from './vault-export.ts';
import { vaultInfo } from './vault-info.ts';
import { vaultLs } from './vault-ls.ts';
import { vaultPrune } from './vault-prune.ts';
import { vaultRepair } from './vault-repair.ts';
import { vaultVerify } from './vault-verify.ts';
import { vaultWitness } from './vault-witness.ts';

/** `holdfast admin vault …`: what works with a vault and its key alone. */
export const vaultCommands: readonly Command[] = [
  vaultInfo,
  vaultVerify,
  vaultWitness,
  vaultRepair,
  vaultPrune,
  vaultCopy,
  vaultLs,
  vaultCat,
  vaultExport,
];
