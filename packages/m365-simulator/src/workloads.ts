import { coreWorkload } from './batch/core-workload.ts';
import { directoryWorkload } from './directory/directory-workload.ts';
import { drivesWorkload } from './drives/drives-workload.ts';
import { mailWorkload } from './mail/mail-workload.ts';
import type { Workload } from './state/workload.ts';

/** Everything that the simulator serves, workload by workload. */
export const workloads: readonly Workload[] = [coreWorkload, directoryWorkload, mailWorkload, drivesWorkload];
