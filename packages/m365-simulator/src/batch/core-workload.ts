import type { Workload } from '../http/workload.ts';
import { batchRoute } from './batch.ts';
import { metadataRoute } from './metadata.ts';

/** What belongs to no workload: batches and the metadata. */
export const coreWorkload: Workload = { name: 'core', routes: [batchRoute, metadataRoute], truth: [], activities: [] };
