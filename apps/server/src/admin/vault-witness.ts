import { writeFile } from 'node:fs/promises';
import { counted, required, type Command } from './command.ts';
import { vaultOptions, withVault } from './vault-command.ts';

/** Writes what the vault holds at this moment into a file that is kept somewhere else. */
export const vaultWitness: Command = {
  name: 'vault witness',
  summary: 'Writes a signed list of all journals and their newest commits. Kept elsewhere, it shows what a vault has lost since.',
  options: { ...vaultOptions, output: 'File to write; never over one that is there' },
  run: (context, given) =>
    withVault(context, given, async (vault) => {
      const witness = await vault.maintenance.witnessHeads();
      const output = required(given, 'output');
      await writeFile(output, `${JSON.stringify(witness, null, 2)}\n`, { flag: 'wx', mode: 0o600 });
      context.print(`${output} is a witness of ${counted(witness.heads.length, 'journal')}. Keep it away from the vault.`);
    }),
};
