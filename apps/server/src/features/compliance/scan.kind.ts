import type { JobKind } from '../../runs/kind.ts';
import { createScanHandler, type ScanHandlerOptions } from './scan.tasks.ts';

/** Scans of sites and drives as jobs. */
export function createScanKind(options: ScanHandlerOptions): JobKind<'scan'> {
  return Object.freeze<JobKind<'scan'>>({ type: 'scan', handle: createScanHandler(options) });
}
