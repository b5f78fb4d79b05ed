import type { Database, Scope } from '@holdfast/database';
import { AppError } from '@holdfast/foundation/errors';
import type { Download } from '../../http/context.ts';
import { cleanUpOf, noteScriptTaken, scriptLines, type ScriptLine } from './clean-ups.store.ts';

/** PowerShell reads nothing inside single quotes but the quote itself. */
const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;

function head(plan: { readonly number: number; readonly read: number; readonly bytes: number }): string {
  return `# Holdfast clean-up ${plan.number}: deletes ${plan.read} earlier versions (${plan.bytes} bytes) in Microsoft 365.
# Each of them was read back from the backup first. Holdfast itself deletes nothing there.
#Requires -Modules Microsoft.Graph.Files
$ErrorActionPreference = 'Stop'
Connect-MgGraph -Scopes 'Files.ReadWrite.All', 'Sites.ReadWrite.All' -NoWelcome
function Remove-Version([string] $Drive, [string] $Item, [string] $Version) {
  try { Remove-MgDriveItemVersion -DriveId $Drive -DriveItemId $Item -DriveItemVersionId $Version }
  catch { Write-Warning ('{0} {1} {2}: {3}' -f $Drive, $Item, $Version, $_) }
}
`;
}

function lineOf({ itemKey, label }: ScriptLine): string {
  const at = itemKey.lastIndexOf(':');
  return `Remove-Version ${quoted(itemKey.slice(0, at))} ${quoted(itemKey.slice(at + 1))} ${quoted(label)}\n`;
}

/** The script of a clean-up that was read back whole, for an administrator to run. */
export async function cleanUpScript(
  database: Database,
  scope: Scope,
  place: { readonly tenantId: string; readonly reportId: string },
  at: Date,
): Promise<Download> {
  const plan = await database.within(scope, (tx) => cleanUpOf(tx, place));
  if (!plan) throw new AppError('not-found');
  if (plan.status !== 'successful') throw new AppError('compliance.plan-stopped');
  await database.within(scope, (tx) => noteScriptTaken(tx, place.reportId, at));
  async function* content(): AsyncGenerator<Uint8Array> {
    // PowerShell takes a file without a mark for the code page of the machine.
    yield Buffer.from(`\uFEFF${head(plan as NonNullable<typeof plan>)}`);
    let after: ScriptLine = { itemKey: '', label: '' };
    for (;;) {
      const lines = await database.within(scope, (tx) => scriptLines(tx, place, after, at));
      if (lines.length === 0) return;
      yield Buffer.from(lines.map(lineOf).join(''));
      after = lines.at(-1) ?? after;
    }
  }
  return { fileName: `clean-up-${plan.number}.ps1`, mediaType: 'text/plain', content: content() };
}
