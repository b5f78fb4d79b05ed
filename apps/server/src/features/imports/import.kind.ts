import type { BodyOf, SourceReference } from '@holdfast/contract/jobs';
import type { Scope, Tx } from '@holdfast/database';
import { AppError } from '@holdfast/foundation/errors';
import { isGraphError, type GraphClient } from '@holdfast/m365';
import type { JobKind, Saving } from '../../runs/kind.ts';
import { exemptFromArchives } from '../archive/index.ts';
import { exemptAmong } from './exempt.service.ts';
import { findImportFile, partsOf, storedParts } from './import-files.store.ts';
import { allowedImportPath } from './import-source.ts';
import { createImportHandler, type ImportHandlerOptions } from './import.tasks.ts';
import { mailboxesOf } from './mapping.ts';
import { knownMailboxes } from './mailboxes.store.ts';

type ImportBody = BodyOf<'import'>;

async function requireWholeFile(tx: Tx, tenantId: string, { import: { source } }: ImportBody): Promise<void> {
  if (source.kind !== 'upload') return;
  const row = await findImportFile(tx, tenantId, source.fileId);
  const isWhole = row !== undefined && (await storedParts(tx, row.file_id)).length === partsOf(row.size_bytes);
  if (!isWhole) throw new AppError('import.file-not-whole', { details: { field: 'import.source' } });
}

async function firstUnknown(graph: GraphClient, people: readonly SourceReference[]): Promise<SourceReference | undefined> {
  for (const person of people) {
    try {
      await graph.directory.user({ userId: person.id });
    } catch (error) {
      if (isGraphError(error, 'graph.item-gone', 'graph.resource-gone')) return person;
      throw error;
    }
  }
  return undefined;
}

/** Everybody whose archive is added to is known: from a backup, from an archive, or in the directory now. */
async function requireMailboxes(
  { database, graph }: ImportHandlerOptions,
  scope: Scope,
  { tenantId, body }: Saving<ImportBody>,
): Promise<void> {
  const wanted = mailboxesOf(body.import.mapping);
  const known = await database.within(scope, (tx) =>
    knownMailboxes(
      tx,
      tenantId,
      wanted.map(({ id }) => id),
    ),
  );
  const others = wanted.filter(({ id }) => !known.has(id));
  if (others.length === 0) return;
  const unknown = await graph.use(scope, tenantId, (client) => firstUnknown(client, others));
  if (unknown) throw new AppError('import.mailbox-unknown', { details: { field: 'import.mapping', mailbox: unknown.name } });
}

function requireNotExempt(exempt: ReadonlySet<string>, body: ImportBody): void {
  const one = mailboxesOf(body.import.mapping).find(({ id }) => exempt.has(id));
  if (one) throw new AppError('import.mailbox-exempt', { details: { field: 'import.mapping', mailbox: one.name } });
}

/** Whom a group exempts is looked up where Microsoft 365 answers; where it does not, the run looks again before it takes anything. */
async function requireNoMember(options: ImportHandlerOptions, scope: Scope, { tenantId, body }: Saving<ImportBody>): Promise<void> {
  const people = mailboxesOf(body.import.mapping).map(({ id }) => id);
  const exempt = await exemptAmong(options, scope, tenantId, people).catch((error: unknown) => {
    if (!isGraphError(error)) throw error;
    return new Set<string>();
  });
  requireNotExempt(exempt, body);
}

/** Imports as jobs. */
export function createImportKind(options: ImportHandlerOptions): JobKind<'import'> {
  return Object.freeze<JobKind<'import'>>({
    type: 'import',
    async check(scope, saving) {
      const { source } = saving.body.import;
      if (source.kind === 'folder') await allowedImportPath(source.path, options.roots);
      await requireMailboxes(options, scope, saving);
      await requireNoMember(options, scope, saving);
    },
    async checkStored(tx, saving) {
      await requireWholeFile(tx, saving.tenantId, saving.body);
      requireNotExempt(await exemptFromArchives(tx, saving.tenantId), saving.body);
    },
    facts: ({ import: { source, mapping, dryRun } }) => ({
      details: {
        source: source.kind === 'folder' ? source.path : source.fileId,
        mailboxes: dryRun
          ? ''
          : mailboxesOf(mapping)
              .map(({ address, name }) => (address === '' ? name : address))
              .slice(0, 20)
              .join(', '),
      },
    }),
    handle: createImportHandler(options),
  });
}
