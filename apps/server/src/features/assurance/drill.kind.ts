import type { JobKind } from '../../runs/kind.ts';
import type { CoverageReader } from '../backup/index.ts';
import { createDrillHandler, type DrillHandlerOptions } from './drill.tasks.ts';

/** Restore drills as jobs. */
export function createDrillKind(options: DrillHandlerOptions & { readonly coverage: CoverageReader }): JobKind<'drill'> {
  return Object.freeze<JobKind<'drill'>>({
    type: 'drill',
    preview: (scope, tenantId, body) => options.coverage.of(scope, tenantId, body),
    handle: createDrillHandler(options),
  });
}
