import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createUniquePaths, openDownload, openPointCatalog, readResource, type PointCatalog, type Resource } from '@holdfast/engine';
import { formatBytes } from '@holdfast/foundation/bytes';
import { AppError, errorText, isAppError } from '@holdfast/foundation/errors';
import type { Vault } from '@holdfast/vault';
import { counted, INCOMPLETE, required, type Command, type CommandContext } from './command.ts';
import { lostSentence, vaultOptions, withVault } from './vault-command.ts';

const { folder, ...bucketOptions } = vaultOptions;

/** Where the files go, and which moment they are of. */
interface Order {
  readonly output: string;
  readonly time: string | undefined;
  /** Earlier versions of files too. */
  readonly versions: boolean;
  /** For the lists of what a point holds; removed when all is done. */
  readonly workFolder: string;
  readonly uniquePath: (folder: string, name: string) => string;
}

/** What came of it so far. */
interface Tally {
  archives: number;
  /** Archives that lack changes of lost commits. */
  incomplete: number;
  /** Items and resources that could not be read. */
  failed: number;
}

/** The resources of the vault, or the one that was asked for. */
async function* resourcesOf(
  vault: Vault,
  wanted: string | undefined,
  onLost: (resourceKey: string) => void,
): AsyncGenerator<Resource, void, undefined> {
  let isFound = false;
  for await (const { resourceId, head } of vault.resources({ onLost: wanted === undefined ? onLost : () => undefined })) {
    if (wanted !== undefined && wanted !== resourceId) continue;
    isFound = true;
    const unnamed = { id: resourceId, kind: 'mailbox', graphId: '', name: resourceId } as const;
    yield (await readResource(vault.journal(resourceId), head)) ?? unnamed;
  }
  if (wanted !== undefined && !isFound) {
    throw new AppError('admin.bad-option', { message: `There is no resource "${wanted}" in this vault; "vault ls" lists them.` });
  }
}

/** Names the commits that damage took away, and counts an archive that depends on them. */
function tellLost(context: CommandContext, { kind, name }: Resource, { lost, lostLater }: PointCatalog, tally: Tally): void {
  if (lost.length > 0) context.print(`incomplete: ${kind} ${name} (${lostSentence(lost)})`);
  if (lostLater.length > 0) context.print(`older: ${kind} ${name} (later commits are lost: ${lostLater.join(', ')})`);
  if (lost.length + lostLater.length > 0) tally.incomplete += 1;
}

/** Writes one archive; its name is there only when it is whole. */
async function restoreOne(
  context: CommandContext,
  vault: Vault,
  source: Resource,
  order: Order & { readonly tally: Tally },
): Promise<void> {
  const { tally } = order;
  const journal = vault.journal(source.id);
  const { points: forgotten, isDropped } = await vault.maintenance.forgottenPoints(source.id);
  if (isDropped) {
    context.print(`left out: ${source.kind} ${source.name} (a deletion job had given it up)`);
    return;
  }
  const file = path.join(order.workFolder, `${source.id}.sqlite`);
  const catalog = await openPointCatalog({ journal, file, forgotten, ...(order.time === undefined ? {} : { time: order.time }) });
  let part: string | undefined;
  try {
    const options = { versions: order.versions };
    const request = { source, sequence: catalog.point.sequence, selection: 'all', format: 'zip', options } as const;
    const download = await openDownload({ vault, catalog }, request, new AbortController().signal);
    const target = path.join(order.output, order.uniquePath(source.kind, download.fileName));
    await mkdir(path.dirname(target), { recursive: true });
    part = `${target}.part`;
    await pipeline(download.bytes, createWriteStream(part));
    await rename(part, target);
    context.print(`${target}: ${formatBytes((await stat(target)).size)}, as of ${catalog.point.committedAt}`);
    for (const failed of download.failed) context.print(`not restored: ${failed.path} (${failed.code})`);
    tellLost(context, source, catalog, tally);
    tally.archives += 1;
    tally.failed += download.failed.length;
  } finally {
    catalog.close();
    await rm(file);
    // Half an archive would take the room of the next one.
    if (part !== undefined) await rm(part, { force: true });
  }
}

/** Made first: where nothing can be written, nothing has to be read. */
async function workFolderIn(output: string): Promise<string> {
  try {
    await mkdir(output, { recursive: true });
    return await mkdtemp(path.join(output, '.work-'));
  } catch (error) {
    throw new AppError('admin.output-unusable', { message: `Nothing can be written to ${output}: ${errorText(error)}.`, cause: error });
  }
}

/** One resource that fails keeps no other from being restored. */
async function restoreOrTell(
  context: CommandContext,
  vault: Vault,
  source: Resource,
  order: Order & { readonly tally: Tally },
): Promise<void> {
  try {
    await restoreOne(context, vault, source, order);
  } catch (error) {
    if (isAppError(error, 'restore.no-such-point')) {
      const lost = error.details['lost'] as readonly string[];
      if (lost.length > 0) order.tally.failed += 1;
      const why = lost.length > 0 ? `the commits up to then are lost: ${lost.join(', ')}` : 'no restore point is as old as that';
      context.print(`left out: ${source.kind} ${source.name} (${why})`);
      return;
    }
    order.tally.failed += 1;
    context.print(`not restored: ${source.kind} ${source.name} (${errorText(error)})`);
  }
}

/** Says what came of it; the exit code tells a script whether that is everything. */
function summarise(context: CommandContext, { archives, incomplete, failed }: Tally): number {
  const written = `${counted(archives, 'archive')} written`;
  if (incomplete + failed === 0) {
    context.print(`${written}; nothing is missing.`);
    return 0;
  }
  context.print(`${written}, ${incomplete} of them incomplete or older; ${failed} things could not be read; all others are there.`);
  return INCOMPLETE;
}

/** Gives everything back as files that any program opens, from a vault and its key alone. */
export const restore: Command = {
  name: 'restore',
  summary:
    'Writes an archive of files for each mailbox, drive, site, team and chat (mail as EML, calendars as ICS, contacts as VCF, files as they were, each with a metadata file), with the vault and its key alone.',
  options: {
    vault: folder,
    ...bucketOptions,
    resource: 'Id of the only resource that is wanted (vault ls lists them)',
    time: 'The newest restore point at this time, ISO 8601 (default: now)',
    output: 'Folder to write, new or empty',
    versions: 'yes: earlier versions of files too, in a folder beside each (default: no)',
  },
  run: (context, { vault: place, ...given }) =>
    withVault(context, { ...given, folder: place }, async (vault) => {
      const output = required(given, 'output');
      const { time } = given;
      const versions = given['versions'] === 'yes';
      if (time !== undefined && Number.isNaN(Date.parse(time)))
        throw new AppError('admin.bad-option', { message: `--time ${time} is no time: write it as 2026-01-31T18:00:00Z.` });
      const workFolder = await workFolderIn(output);
      const tally: Tally = { archives: 0, incomplete: 0, failed: 0 };
      const order = { output, time, versions, workFolder, uniquePath: createUniquePaths(), tally };
      const onLost = (resourceKey: string): void => {
        tally.failed += 1;
        context.print(`not restored: journal/${resourceKey} (none of its commits can be read)`);
      };
      try {
        for await (const source of resourcesOf(vault, given['resource'], onLost)) await restoreOrTell(context, vault, source, order);
      } finally {
        await rm(workFolder, { recursive: true });
      }
      return summarise(context, tally);
    }),
};
