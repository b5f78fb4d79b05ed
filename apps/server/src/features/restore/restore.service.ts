import { leavesItsPlace, type RestorePlan, type RestoreSettings } from '@holdfast/contract/restore';
import type { Database, Scope } from '@holdfast/database';
import { createRestore, openDownload, pointOf, silentProgress, type Catalog, type Download } from '@holdfast/engine';
import type { Clock } from '@holdfast/foundation/clock';
import { AppError, isAppError } from '@holdfast/foundation/errors';
import type { Logger } from '@holdfast/foundation/logger';
import { membershipIn, type Actor } from '../../access/actor.ts';
import type { TenantGraph } from '../backup/index.ts';
import type { Vaults } from '../../storage/index.ts';
import type { AuditEvent } from '../audit/index.ts';
import { expectedSeconds } from './restore-duration.policy.ts';
import type { ContentAccess } from '../content-access/index.ts';
import { requireLeave, type Leave } from './require-leave.ts';
import { downloadRequestOf, requestOf } from './restore-source.ts';
import { mayRestoreTo } from './restore.policy.ts';
import { refusedTarget } from './target-check.ts';
import type { EndedRestore, RestoreViews } from './restore.views.ts';

export interface RestoreCaller {
  readonly actor: Actor;
  readonly scope: Scope;
}

/** Whose content somebody has downloaded, and on what ground; nothing of a source that is gone. */
export interface DownloadEvent {
  readonly event: AuditEvent;
  readonly runId: string;
  readonly name: string;
  readonly reason: string;
  readonly left: Leave | undefined;
}

export interface RestoreServiceOptions {
  readonly graph: TenantGraph;
  readonly vaults: Vaults;
  readonly views: RestoreViews;
  readonly database: Database;
  readonly contentAccess: ContentAccess;
  catalogOf(scope: Scope, locationId: string): Catalog;
  record(caller: RestoreCaller, event: DownloadEvent): Promise<void>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** A download as the API streams it. */
export interface ReadyDownload {
  readonly fileName: string;
  readonly mediaType: string;
  readonly content: AsyncIterable<Uint8Array>;
}

export interface RestoreService {
  /** What a restore would do; nothing is written. */
  plan(
    caller: RestoreCaller,
    place: { readonly tenantId: string; readonly locationId: string },
    settings: RestoreSettings,
    signal: AbortSignal,
  ): Promise<RestorePlan>;
  /** The file of a download, built while it is read: nothing lies on a disk, any process can serve it. */
  download(caller: RestoreCaller, place: RunPlace, signal: AbortSignal): Promise<ReadyDownload>;
  info(caller: RestoreCaller, place: RunPlace): Promise<{ readonly fileName: string; readonly expiresAt: string }>;
}

export interface RunPlace {
  readonly tenantId: string;
  readonly reportId: string;
}

/** How long a prepared download may be fetched. */
const KEPT_MS = 24 * 3_600_000;

const PUBLIC_CODES: Readonly<Record<string, string>> = {
  'restore.no-such-point': 'restore.point-unknown',
  'restore.no-such-item': 'content.item-unknown',
  'restore.roles-missing': 'restore.role-missing',
};

/** The engine's words in those of the API. */
function translated(error: unknown): unknown {
  const code = isAppError(error) ? PUBLIC_CODES[error.code] : undefined;
  return code === undefined ? error : new AppError(code, { cause: error });
}

function requireRight(caller: RestoreCaller, settings: RestoreSettings, nowMs: number): void {
  const membership = membershipIn(caller.actor, caller.scope.organisationId, nowMs);
  if (!membership) throw new AppError('not-found');
  if (!mayRestoreTo(membership.role, settings.target.kind)) throw new AppError('access-denied');
}

async function openFor(
  options: RestoreServiceOptions,
  scope: Scope,
  place: RunPlace & { readonly ended: EndedRestore },
  signal: AbortSignal,
): Promise<ReadyDownload> {
  const { settings, locationId, result } = place.ended;
  const source = await options.views.source(scope, { tenantId: place.tenantId, locationId, sourceId: settings.sourceId });
  if (!source) throw new AppError('restore.source-unknown');
  const catalog = options.catalogOf(scope, locationId);
  // The point that was prepared, also when a newer one has come since.
  const { sequence } = await pointOf(catalog, source.resource, result?.sequence ?? settings.sequence);
  const request = downloadRequestOf(source, settings, sequence);
  // The vault must stay open until the last byte has been read, so the stream is what holds it.
  const opened = Promise.withResolvers<Download>();
  const finished = Promise.withResolvers<void>();
  // Whoever leaves before the first byte never starts `content`: its end alone would hold the vault for good.
  signal.addEventListener('abort', () => finished.resolve(), { once: true });
  const held = options.vaults.use(scope, locationId, async (vault) => {
    opened.resolve(await openDownload({ vault, catalog }, request, signal));
    await finished.promise;
  });
  held.catch((error: unknown) => opened.reject(error as Error));
  const download = await opened.promise;
  async function* content(): AsyncGenerator<Uint8Array, void, undefined> {
    try {
      yield* download.bytes;
    } finally {
      finished.resolve();
      await held;
    }
  }
  return { fileName: download.fileName, mediaType: download.mediaType, content: content() };
}

/** Plans of restores and the files of downloads. Starting a restore is the business of jobs. */
export function createRestoreService(options: RestoreServiceOptions): RestoreService {
  const { views, vaults, graph, clock, logger } = options;

  /** Rights may have ended since the restore was asked for. */
  async function requireContent(caller: RestoreCaller, tenantId: string, settings: RestoreSettings): Promise<Leave | undefined> {
    if (!leavesItsPlace(settings.target.kind)) return undefined;
    return options.database.within(caller.scope, (tx) => requireLeave(tx, options.contentAccess, { ...caller, tenantId }, settings));
  }

  /** A prepared download is for the person who gave the reason for it, whatever others may restore. */
  async function requireReady({ actor, scope }: RestoreCaller, place: RunPlace): Promise<EndedRestore> {
    const ended = await views.ended(scope, place.tenantId, place.reportId);
    if (!ended || ended.settings.target.kind !== 'download') throw new AppError('not-found');
    if (ended.startedBy?.toLowerCase() !== actor.email.toLowerCase()) throw new AppError('restore.download-not-yours');
    if (ended.endedAt === null || ended.status !== 'successful') throw new AppError('restore.download-not-ready');
    if (clock.nowMs() > ended.endedAt.getTime() + KEPT_MS) throw new AppError('restore.download-expired');
    return ended;
  }

  return Object.freeze<RestoreService>({
    async plan(caller, place, settings, signal) {
      requireRight(caller, settings, clock.nowMs());
      await requireContent(caller, place.tenantId, settings);
      const { scope } = caller;
      const source = await views.source(scope, { ...place, sourceId: settings.sourceId });
      if (!source) throw new AppError('restore.source-unknown');
      try {
        return await graph.use(scope, place.tenantId, (client) =>
          vaults.use(scope, place.locationId, async (vault) => {
            const catalog = options.catalogOf(scope, place.locationId);
            const nothing = () => Promise.resolve();
            const report = { begin: nothing, uploading: nothing, tell: nothing };
            const restore = createRestore({ vault, graph: client, catalog, progress: silentProgress, report, clock, logger });
            const { sequence } = await pointOf(catalog, source.resource, settings.sequence);
            const isBeside = settings.target.kind === 'download' || settings.target.kind === 'rehearsal';
            const request = await requestOf(client, 'plan', source, { ...settings, sequence });
            const plan = await restore.plan({ ...request, isBeside }, signal);
            const measured = await views.measured(scope, source.workload);
            return {
              sequence,
              items: plan.items,
              bytes: plan.bytes,
              byKind: Object.entries(plan.byKind).map(([kind, count]) => ({ kind, count })),
              collisions: plan.collisions,
              unknown: plan.unknown,
              notRestorable: [...plan.notRestorable],
              missingRoles: [...plan.missingRoles],
              // A download is built while it is fetched: how long that takes is a matter of the connection.
              expectedSeconds: settings.target.kind === 'download' ? null : expectedSeconds(plan, measured),
            };
          }),
        );
      } catch (error) {
        throw translated(refusedTarget(error, settings));
      }
    },
    async download(caller, place, signal) {
      const ended = await requireReady(caller, place);
      requireRight(caller, ended.settings, clock.nowMs());
      const left = await requireContent(caller, place.tenantId, ended.settings);
      const { sourceName: name, reason } = ended.settings;
      await options.record(caller, { event: 'content.downloaded', runId: place.reportId, name, reason, left });
      return openFor(options, caller.scope, { ...place, ended }, signal);
    },
    async info(caller, place) {
      const ended = await requireReady(caller, place);
      return {
        fileName: ended.result?.fileName ?? '',
        expiresAt: new Date((ended.endedAt?.getTime() ?? 0) + KEPT_MS).toISOString(),
      };
    },
  });
}
