import { readFile } from 'node:fs/promises';
import { AppError } from '@holdfast/foundation/errors';
import { parseWitness, type HeadsWitness, type VerifyReport } from '@holdfast/vault';
import { counted, type Command, type CommandContext } from './command.ts';
import { vaultOptions, withVault } from './vault-command.ts';

const UNKNOWN =
  'Without --witness nobody can tell whether whole journals are missing, or whether the vault was rolled back to an older copy: "vault witness" writes one.';

/** No journal names them, and the newest evidence is named by nothing in the vault. */
const UNKNOWN_HERE = 'Whether a document or the newest evidence is missing, only a verification in the product can tell.';

async function witnessFrom(file: string | undefined): Promise<readonly HeadsWitness[]> {
  if (file === undefined) return [];
  const witness = parseWitness(await readFile(file, 'utf8'));
  if (!witness) throw new AppError('admin.bad-option', { message: `${file} is not a witness.` });
  return [witness];
}

/** Every damage and every item that can't be read, line by line. */
function printFound({ print }: CommandContext, report: VerifyReport): void {
  for (const { name, problem, lostCommits = [] } of report.damages) {
    const commits =
      lostCommits.length === 0 ? '' : ` Commits that can't be read: ${lostCommits.join(', ')}; the catalog knows their items.`;
    print(`${name}: ${problem}${commits}`);
  }
  for (const item of report.affectedItems)
    print(`can't be read: ${item.resourceId} ${item.itemId} (${item.name}): ${item.roles.join(', ')}`);
}

/** Checks the vault; fails when anything is damaged, or missing that the witness has seen. */
export const vaultVerify: Command = {
  name: 'vault verify',
  summary: 'Checks structure and data of a vault and names what is damaged, and with a witness what is missing.',
  options: {
    ...vaultOptions,
    depth: 'structure or data (default data)',
    witness: 'File of "vault witness": what must be there at least',
  },
  run: (context, given) =>
    withVault(context, given, async (vault) => {
      const witnesses = await witnessFrom(given['witness']);
      const report = await vault.maintenance.verify({ depth: given['depth'] === 'structure' ? 'structure' : 'data', witnesses });
      printFound(context, report);
      if (witnesses.length === 0) context.print(UNKNOWN);
      context.print(UNKNOWN_HERE);
      const objects = report.damages.filter(({ object }) => object !== 'points').length;
      const points = report.damages.reduce((sum, { lostPoints }) => sum + (lostPoints?.count ?? 0), 0);
      if (report.damages.length + report.affectedItemCount > 0) {
        throw new AppError('vault.damaged', {
          message: `${objects} objects are damaged or missing, ${points} restore points can't be restored, ${report.affectedItemCount} items can't be read.`,
        });
      }
      const found = `${counted(report.heads.heads.length, 'journal')}, ${counted(report.segments, 'commit')}, ${counted(report.packs, 'pack')}, ${counted(report.packsRead, 'pack')} read back`;
      const since = witnesses.map(({ at }) => ` Nothing that the witness saw at ${at} is missing.`).join('');
      context.print(`What is there is whole: ${found}.${since}`);
    }),
};
