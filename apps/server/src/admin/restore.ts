import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createUniquePaths, openDownload, openPointCatalog, readResource, type Resource } from '@holdfast/engine';
import { formatBytes } from '@holdfast/foundation/bytes';
import { AppError, errorText, isAppError } from '@holdfast/foundation/errors';
import type { Vault } from '@holdfast/vault';
import { required, type Command, type CommandContext } from './command.ts';
import { vaultOptions, withVault } from './vault-command.ts';

const { folder, ...bucketOptions } = vaultOptions;

/** Where the files go, and which moment they are of. */
interface Order {
  readonly output: string;
  readonly time: string | undefined;
  /** For the lists of what a point holds; removed when all is done. */
  readonly workFolder: string;
  readonly uniquePath: (folder: string, name: string) => string;
}

/** The resources of the vault, or the one that was asked for. */
async function* resourcesOf(vault: Vault, wanted: string | undefined): AsyncGenerator<Resource, void, undefined> {
  let isFound = false;
  for await (const { resourceId, head } of vault.resources()) {
    if (wanted !== undefined && wanted !== resourceId) continue;
    isFound = true;
    const unnamed = { id: resourceId, kind: 'mailbox', graphId: '', name: resourceId } as const;
    yield (await readResource(vault.journal(resourceId), head)) ?? unnamed;
  }
  if (wanted !== undefined && !isFound) {
    throw new AppError('admin.bad-option', { message: `There is no resource "${wanted}" in this vault; "vault ls" lists them.` });
  }
}

/** Writes one archive; its name is there only when it is whole. Answers how many items could not be read. */
async function restoreOne(context: CommandContext, vault: Vault, source: Resource, order: Order): Promise<number> {
  const journal = vault.journal(source.id);
  const { points: forgotten, isDropped } = await vault.maintenance.forgottenPoints(source.id);
  if (isDropped) {
    context.print(`left out: ${source.kind} ${source.name} (a deletion job had given it up)`);
    return 0;
  }
  const file = path.join(order.workFolder, `${source.id}.sqlite`);
  const catalog = await openPointCatalog({ journal, file, forgotten, ...(order.time === undefined ? {} : { time: order.time }) });
  try {
    const request = { source, sequence: catalog.point.sequence, selection: 'all', format: 'zip' } as const;
    const download = await openDownload({ vault, catalog }, request, new AbortController().signal);
    const target = path.join(order.output, order.uniquePath(source.kind, download.fileName));
    await mkdir(path.dirname(target), { recursive: true });
    await pipeline(download.bytes, createWriteStream(`${target}.part`));
    await rename(`${target}.part`, target);
    context.print(`${target}: ${formatBytes((await stat(target)).size)}, as of ${catalog.point.committedAt}`);
    for (const failed of download.failed) context.print(`not restored: ${failed.path} (${failed.code})`);
    return download.failed.length;
  } finally {
    catalog.close();
    await rm(file);
  }
}

/** Gives everything back as files that any program opens, from a vault and its key alone. */
export const restore: Command = {
  name: 'restore',
  summary:
    'Writes an archive of files for each mailbox, drive, site, team and chat (mail as EML, calendars as ICS, contacts as VCF, files as they were), with the vault and its key alone.',
  options: {
    vault: folder,
    ...bucketOptions,
    resource: 'Id of the only resource that is wanted (vault ls lists them)',
    time: 'The newest restore point at this time, ISO 8601 (default: now)',
    output: 'Folder to write, new or empty',
  },
  run: (context, { vault: place, ...given }) =>
    withVault(context, { ...given, folder: place }, async (vault) => {
      const output = required(given, 'output');
      const { time } = given;
      if (time !== undefined && Number.isNaN(Date.parse(time)))
        throw new AppError('admin.bad-option', { message: `--time ${time} is no time: write it as 2026-01-31T18:00:00Z.` });
      await mkdir(output, { recursive: true });
      const workFolder = await mkdtemp(path.join(output, '.work-'));
      const order = { output, time, workFolder, uniquePath: createUniquePaths() };
      let failed = 0;
      try {
        for await (const source of resourcesOf(vault, given['resource'])) {
          try {
            failed += await restoreOne(context, vault, source, order);
          } catch (error) {
            if (isAppError(error, 'restore.no-such-point')) {
              context.print(`left out: ${source.kind} ${source.name} (no restore point is as old as that)`);
              continue;
            }
            failed += 1;
            context.print(`not restored: ${source.kind} ${source.name} (${errorText(error)})`);
          }
        }
      } finally {
        await rm(workFolder, { recursive: true });
      }
      if (failed > 0) throw new AppError('vault.damaged', { message: `${failed} things could not be read; all others are there.` });
    }),
};
