import { archive } from './archive.ts';
import { backup } from './backup.ts';
import { cleanUp } from './clean-up.ts';
import { deletion } from './deletion.ts';
import { drill } from './drill.ts';
import { erasure } from './erasure.ts';
import { contentExport } from './export.ts';
import { mailImport } from './import.ts';
import { monthlyReport } from './monthly-report.ts';
import { recovery } from './recovery.ts';
import { restore } from './restore.ts';
import { scan } from './scan.ts';
import { threads } from './threads.ts';
import { undo } from './undo.ts';
import { verify } from './verify.ts';

/** Every kind of job. What is not here is refused. */
export const jobKinds = {
  backup,
  archive,
  restore,
  recovery,
  deletion,
  verify,
  drill,
  scan,
  cleanUp,
  import: mailImport,
  monthlyReport,
  export: contentExport,
  erasure,
  threads,
  undo,
} as const;
