import type { RestoreSettings } from '@holdfast/contract/restore';
import type { Scope } from '@holdfast/database';
import type { Clock } from '@holdfast/foundation/clock';
import { AppError } from '@holdfast/foundation/errors';
import { isGraphError } from '@holdfast/m365';
import type { TenantGraph } from '../backup/index.ts';
import { targetResource } from './restore-source.ts';
import type { RestoreViews } from './restore.views.ts';

/** A person without mailbox or OneDrive, as guests are, or a target that is gone or closed: the caller chose it, and can choose another. */
export function refusedTarget(error: unknown, { target }: RestoreSettings): unknown {
  const isUnusable = isGraphError(
    error,
    'graph.mailbox-missing',
    'graph.mailbox-closed',
    'graph.drive-missing',
    'graph.site-archived',
    'graph.resource-gone',
    'graph.item-gone',
    'graph.folder-gone',
  );
  if (target.kind !== 'elsewhere' || !isUnusable) return error;
  return new AppError('restore.target-unusable', { cause: error, details: { field: 'restore.target.graphId', reason: error.code } });
}

/** Microsoft 365 may be away: a job is saved all the same, and its run says what it met. */
const PATIENCE_MS = 15_000;

/** Refuses a restore to somebody who cannot receive it, before it becomes a job. */
export type TargetCheck = (
  scope: Scope,
  place: { readonly tenantId: string; readonly locationId: string },
  settings: RestoreSettings,
) => Promise<void>;

export function createTargetCheck(options: {
  readonly graph: TenantGraph;
  readonly views: Pick<RestoreViews, 'source'>;
  readonly clock: Clock;
}): TargetCheck {
  const { graph, views, clock } = options;
  return async (scope, place, settings) => {
    if (settings.target.kind !== 'elsewhere') return;
    const source = await views.source(scope, { ...place, sourceId: settings.sourceId });
    if (!source) return;
    const patience = Promise.withResolvers<void>();
    const stop = clock.after(PATIENCE_MS, patience.resolve);
    const checked = graph
      .use(scope, place.tenantId, (client) => targetResource(client, source, settings))
      .catch((error: unknown) => {
        const refusal = refusedTarget(error, settings);
        if (refusal !== error) throw refusal;
      });
    try {
      await Promise.race([checked, patience.promise]);
    } finally {
      stop();
      checked.catch(() => undefined);
    }
  };
}
