import type { BodyOf } from '@holdfast/contract/route';
import type { ContentExport, exports as contract } from '@holdfast/contract/exports';
import type { Page } from '@holdfast/contract/paging';
import type { Database, Tx } from '@holdfast/database';
import { safeName } from '@holdfast/engine';
import { now, type Clock } from '@holdfast/foundation/clock';
import { AppError } from '@holdfast/foundation/errors';
import type { Ids } from '@holdfast/foundation/ids';
import type { Download } from '../../http/context.ts';
import { windowOf } from '../../http/paging.ts';
import { queueUnplanned, type RunsStore } from '../../runs/index.ts';
import type { CaseAsking, CaseExports } from '../cases/index.ts';
import type { ContentAccess } from '../content-access/index.ts';
import { keysByResource, sourcesOf } from '../search/index.ts';
import type { ContentParts } from './export-content.ts';
import type { ExportKey } from './export-key.ts';
import { lastPart } from './export-files.store.ts';
import type { PaperParts } from './export-papers.ts';
import { openPart } from './export-part.ts';
import type { ExportRow } from './export-rows.ts';
import type { Frozen, FreezeExport } from './freeze-export.ts';
import { addExport, expireExports, exportsPage, findExport, keepSelectionUntil, removeExport, setRun, tryAgain } from './exports.store.ts';
import { fingerprintOf } from './manifest-seal.ts';

type ExportBody = BodyOf<(typeof contract)['create']>;

/** What was done with an export, for the audit log. */
export interface ExportNote {
  readonly event: 'exports.requested' | 'exports.resumed' | 'exports.cancelled' | 'exports.deleted' | 'content.downloaded';
  readonly exported: Pick<ExportRow, 'export_id' | 'name' | 'query' | 'items' | 'reason' | 'case_id'>;
  readonly part?: number;
  readonly resourceIds?: readonly string[];
}

export interface ExportsParts extends ContentParts, PaperParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly runs: Pick<RunsStore, 'enqueue' | 'requestCancel'>;
  readonly access: ContentAccess;
  readonly key: ExportKey;
  readonly cases: CaseExports;
  readonly freeze: FreezeExport;
  record(tx: Tx, asking: CaseAsking, note: ExportNote): Promise<void>;
  /** Somebody's content will be handed to somebody else. */
  contentOpened(tx: Tx, asking: CaseAsking, opened: { readonly sourceId: string; readonly reason: string }): Promise<void>;
}

export interface ExportsQuery {
  readonly caseId?: string | undefined;
  readonly search?: string | undefined;
  readonly sort?: string | undefined;
  readonly cursor?: string | undefined;
  readonly limit: number;
}

export interface ExportsService {
  list(asking: CaseAsking, query: ExportsQuery): Promise<Page<ContentExport>>;
  get(asking: CaseAsking, exportId: string): Promise<ContentExport & { readonly keyFingerprint: string }>;
  create(asking: CaseAsking, body: ExportBody): Promise<ContentExport>;
  cancel(asking: CaseAsking, exportId: string): Promise<void>;
  /** Goes on where an export has failed or was stopped; reads again what one could not read. */
  resume(asking: CaseAsking, exportId: string): Promise<void>;
  remove(asking: CaseAsking, exportId: string): Promise<void>;
  part(asking: CaseAsking, wanted: { readonly exportId: string; readonly part: number }, signal: AbortSignal): Promise<Download>;
  /** Forgets the files of exports whose time is over. */
  expire(tx: Tx): Promise<void>;
}

/** Two weeks to fetch an export; longer than that nobody's list of content lies about. */
const KEPT_MS = 14 * 24 * 3_600_000;
const RUN_NAME = 'Export';

/** Steps that everything shares: finding an export for somebody who sees it, and asking whether they may take it away. */
function createSteps({ database, access, cases }: Pick<ExportsParts, 'database' | 'access' | 'cases'>) {
  return {
    /** An export that somebody sees: their own, or one of a case that they see. To everybody else it does not exist. */
    find: async (tx: Tx, asking: CaseAsking, exportId: string): Promise<ExportRow> => {
      const row = await findExport(tx, asking.tenantId, exportId);
      if (!row) throw new AppError('not-found');
      if (row.owner_id === asking.actor.accountId) return row;
      if (row.case_id === null) throw new AppError('not-found');
      await cases.require(tx, asking, row.case_id);
      return row;
    },
    shown: async (tx: Tx, { tenantId, actor }: CaseAsking, exportId: string): Promise<ContentExport> => {
      const { items } = await exportsPage(tx, { tenantId, ownerId: actor.accountId, exportId }, {}, windowOf({ limit: 1 }));
      const [found] = items;
      if (!found) throw new AppError('not-found');
      return found;
    },
    /** Everybody whose content leaves has to be in reach of whoever takes it, now. */
    requireLeave: async (tx: Tx, asking: CaseAsking, selectionId: string): Promise<readonly string[]> => {
      const wanted = await keysByResource(tx, selectionId);
      for (const [resourceId, items] of wanted) await access.require(tx, asking, { action: 'export', resourceId, items });
      return [...wanted.keys()];
    },
    within: <T>(asking: CaseAsking, work: (tx: Tx) => Promise<T>): Promise<T> => database.within(asking.scope, work),
  };
}
type Steps = ReturnType<typeof createSteps>;

function queue(
  { runs }: Pick<ExportsParts, 'runs'>,
  tx: Tx,
  { actor, scope, tenantId }: CaseAsking,
  { name, exportId }: { readonly name: string; readonly exportId: string },
): Promise<string> {
  const body = { type: 'export', name: RUN_NAME, schedule: { mode: 'disabled' }, exportId } as const;
  const by = { trigger: 'manual', startedBy: actor.email, onBehalfOf: actor.accountId } as const;
  return queueUnplanned(runs, tx, scope, tenantId, body, by, name);
}

async function add(
  parts: ExportsParts,
  tx: Tx,
  asking: CaseAsking,
  { body, frozen }: { readonly body: ExportBody; readonly frozen: Frozen },
): Promise<string> {
  const { tenantId, actor } = asking;
  const { name, format, reason } = body;
  const at = now(parts.clock);
  const expiresAt = new Date(at.getTime() + KEPT_MS);
  const exportId = parts.ids.uuid();
  await keepSelectionUntil(tx, frozen.selectionId, expiresAt);
  await addExport(tx, {
    export_id: exportId,
    tenant_id: tenantId,
    run_id: await queue(parts, tx, asking, { name, exportId }),
    selection_id: frozen.selectionId,
    case_id: frozen.caseId,
    data_request_id: frozen.dataRequestId ?? null,
    name,
    format,
    query: frozen.query,
    coverage: JSON.stringify(frozen.coverage),
    reason,
    owner_id: actor.accountId,
    owner: actor.email,
    items: frozen.items,
    size_bytes: frozen.bytes,
    created_at: at,
    expires_at: expiresAt,
  });
  return exportId;
}

/** Asking for exports, stopping them, going on with them, deleting them. */
function createMaking(parts: ExportsParts, { find, shown, requireLeave, within }: Steps) {
  return {
    create: (asking: CaseAsking, body: ExportBody): Promise<ContentExport> =>
      within(asking, async (tx) => {
        const frozen = await parts.freeze(tx, asking, body);
        const resourceIds = await requireLeave(tx, asking, frozen.selectionId);
        const exportId = await add(parts, tx, asking, { body, frozen });
        await parts.record(tx, asking, { event: 'exports.requested', exported: await find(tx, asking, exportId), resourceIds });
        for (const sourceId of await sourcesOf(tx, frozen.selectionId)) {
          await parts.contentOpened(tx, asking, { sourceId, reason: body.reason });
        }
        return shown(tx, asking, exportId);
      }),
    cancel: (asking: CaseAsking, exportId: string): Promise<void> =>
      within(asking, async (tx) => {
        const exported = await find(tx, asking, exportId);
        const isStopped = await parts.runs.requestCancel(tx, asking.scope, exported.run_id);
        if (isStopped) await parts.record(tx, asking, { event: 'exports.cancelled', exported });
      }),
    resume: (asking: CaseAsking, exportId: string): Promise<void> =>
      within(asking, async (tx) => {
        const exported = await find(tx, asking, exportId);
        const { status } = await shown(tx, asking, exportId);
        if (status !== 'failed' && status !== 'cancelled' && status !== 'defective') throw new AppError('exports.not-resumable');
        const resourceIds = await requireLeave(tx, asking, exported.selection_id);
        if (status === 'defective') await tryAgain(tx, exportId);
        await setRun(tx, exportId, await queue(parts, tx, asking, { name: exported.name, exportId }));
        await parts.record(tx, asking, { event: 'exports.resumed', exported, resourceIds });
      }),
    remove: (asking: CaseAsking, exportId: string): Promise<void> =>
      within(asking, async (tx) => {
        const exported = await find(tx, asking, exportId);
        const { status } = await shown(tx, asking, exportId);
        if (status === 'pending' || status === 'running' || status === 'cancelling') throw new AppError('exports.not-ended');
        await parts.record(tx, asking, { event: 'exports.deleted', exported });
        await removeExport(tx, exportId);
      }),
  };
}

/** Hands out one part. The download is in the audit log before anything is read. */
function createHandingOut(parts: ExportsParts, { find, requireLeave, within }: Steps): ExportsService['part'] {
  return async (asking, { exportId, part }, signal) => {
    const { scope } = asking;
    const { row, count } = await within(asking, async (tx) => {
      const exported = await find(tx, asking, exportId);
      const isOver = exported.expired_at !== null || exported.expires_at <= now(parts.clock);
      if (exported.manifest_hash === null || isOver) throw new AppError('exports.not-ready');
      const resourceIds = await requireLeave(tx, asking, exported.selection_id);
      const last = await lastPart(tx, exportId);
      if (part > last) throw new AppError('not-found');
      await parts.record(tx, asking, { event: 'content.downloaded', exported, part, resourceIds });
      return { row: exported, count: last };
    });
    const content = await openPart(parts, parts.key, { scope, row, part, isLast: part === count, signal });
    const which = count === 1 ? '' : ` part ${part} of ${count}`;
    return { fileName: `${safeName(`${row.name}${which}`)}.zip`, mediaType: 'application/zip', content };
  };
}

export function createExportsService(parts: ExportsParts): ExportsService {
  const steps = createSteps(parts);
  const { find, shown, within } = steps;
  return Object.freeze<ExportsService>({
    ...createMaking(parts, steps),
    part: createHandingOut(parts, steps),
    list: (asking, { caseId, search, sort, ...paging }) =>
      within(asking, async (tx) => {
        const { tenantId, actor } = asking;
        if (caseId !== undefined) await parts.cases.require(tx, asking, caseId);
        return exportsPage(tx, { tenantId, ownerId: actor.accountId, caseId, search }, { sort }, windowOf(paging));
      }),
    async get(asking, exportId) {
      const { publicKey } = await parts.key();
      const found = await within(asking, async (tx) => {
        await find(tx, asking, exportId);
        return shown(tx, asking, exportId);
      });
      return { ...found, keyFingerprint: fingerprintOf(publicKey) };
    },
    expire: (tx) => expireExports(tx, now(parts.clock)),
  });
}
