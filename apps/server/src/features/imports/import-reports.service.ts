import type { ImportFault, ImportReport } from '@holdfast/contract/imports';
import type { Page } from '@holdfast/contract/paging';
import type { Database, Scope, Tx } from '@holdfast/database';
import { AppError } from '@holdfast/foundation/errors';
import { once } from '@holdfast/foundation/streams';
import type { Download } from '../../http/context.ts';
import type { Vaults } from '../../storage/index.ts';
import type { AuditInbox } from '../audit/index.ts';
import type { ContentAccess } from '../content-access/index.ts';
import type { Asking } from '../identity/index.ts';
import { actorEntry } from '../organisations/index.ts';
import type { DryRun } from './dry-run.ts';
import { faultsPage, findFault, newestRun } from './import-faults.store.ts';

export interface ImportReportsParts {
  readonly database: Database;
  readonly vaults: Pick<Vaults, 'use'>;
  readonly audit: AuditInbox;
  readonly contentAccess: Pick<ContentAccess, 'requireUnassigned'>;
}

/** The job of an import. */
export interface ImportPlace {
  readonly tenantId: string;
  readonly jobId: string;
}

/** What imports came to. */
export interface ImportReports {
  report(scope: Scope, place: ImportPlace): Promise<ImportReport>;
  faults(
    scope: Scope,
    place: ImportPlace,
    query: { readonly cursor?: string | undefined; readonly limit: number },
  ): Promise<Page<ImportFault>>;
  /** The bytes of a piece that was not taken in. The look is logged with its reason. */
  piece(asking: Asking, place: ImportPlace & { readonly faultId: string; readonly reason: string }): Promise<Download>;
}

const ENDED = new Set(['successful', 'defective', 'failed', 'cancelled', 'skipped']);
const NOTHING: DryRun = { seen: 0, added: 0, known: 0, erasedBefore: 0, failed: 0, formats: [], folders: [], otherFolders: 0 };

async function importOf(tx: Tx, { tenantId, jobId }: ImportPlace) {
  const found = await newestRun(tx, tenantId, jobId);
  if (!found) throw new AppError('not-found');
  return found;
}

export function createImportReports({ database, vaults, audit, contentAccess }: ImportReportsParts): ImportReports {
  return Object.freeze<ImportReports>({
    report: (scope, place) =>
      database.within(scope, async (tx) => {
        const { dryRun, run } = await importOf(tx, place);
        const result = (run?.result ?? {}) as Partial<DryRun>;
        const isEnded = run !== undefined && ENDED.has(run.status);
        return { jobId: place.jobId, runId: run?.runId ?? null, dryRun, isEnded, ...NOTHING, ...result };
      }),
    faults: (scope, place, query) =>
      database.within(scope, async (tx) => {
        const { run } = await importOf(tx, place);
        return run ? faultsPage(tx, run.runId, query) : { items: [], total: 0, nextCursor: null };
      }),
    async piece({ scope, actor, caller }, { faultId, reason, ...place }) {
      const fault = await database.within(scope, async (tx) => {
        await contentAccess.requireUnassigned(tx, { actor, scope });
        const { run } = await importOf(tx, place);
        const found = run && (await findFault(tx, run.runId, faultId));
        if (!found || found.size_bytes === 0) throw new AppError('not-found');
        const subject = { kind: 'importFault', id: faultId, name: found.file_name } as const;
        await audit.record(tx, {
          event: 'imports.pieceDownloaded',
          actor: actorEntry(actor, caller),
          subject,
          reason,
          details: { offset: found.offset_at },
        });
        return found;
      });
      const content = await vaults.use(scope, fault.location_id, (vault) => vault.documents.get(faultId));
      return { fileName: `${faultId}.bin`, mediaType: 'application/octet-stream', sizeBytes: content.byteLength, content: once(content) };
    },
  });
}
