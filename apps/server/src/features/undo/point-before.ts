import type { Scope } from '@holdfast/database';
import type { Catalog } from '@holdfast/engine';
import type { Home, KnownSource, UndoViews } from './undo.views.ts';

/** A restore point of a resource, and where it is stored. */
export interface StoredPoint extends KnownSource {
  readonly sequence: number;
}

export interface PointParts {
  readonly views: Pick<UndoViews, 'sources'>;
  readonly catalogOf: (scope: Scope, locationId: string) => Catalog;
}

/** The newest restore point of a resource from before a moment, wherever it is stored. */
export async function pointBefore(
  { views, catalogOf }: PointParts,
  scope: Scope,
  tenantId: string,
  { home, at }: { readonly home: Pick<Home, 'kind' | 'graphId'>; readonly at: Date },
): Promise<StoredPoint | undefined> {
  let newest: (StoredPoint & { readonly committedAt: number }) | undefined;
  for (const source of await views.sources(scope, tenantId, home)) {
    for (const { sequence, committedAt: iso } of await catalogOf(scope, source.locationId).points(source.resourceId)) {
      const committedAt = Date.parse(iso);
      if (committedAt < at.getTime() && committedAt > (newest?.committedAt ?? 0)) newest = { ...source, sequence, committedAt };
    }
  }
  return newest;
}
