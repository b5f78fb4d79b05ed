import type { Database, Scope } from '@holdfast/database';
import { now, type Clock } from '@holdfast/foundation/clock';
import type { Logger } from '@holdfast/foundation/logger';
import { archivesToRecount, recountArchive } from '../../storage/index.ts';

export interface RecountParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly logger: Logger;
}

const WEEK_MS = 7 * 24 * 3_600_000;
/** Archives of one organisation in one turn: the rest come in the next. */
const AT_ONCE = 50;

/** Compares the counters of archives with what they hold, each once a week; a wrong one is set right and told in the log. */
export async function recountArchives({ database, clock, logger }: RecountParts, scope: Scope): Promise<number> {
  const at = now(clock);
  const due = await database.within(scope, (tx) => archivesToRecount(tx, new Date(at.getTime() - WEEK_MS), AT_ONCE));
  let wrong = 0;
  for (const sourceId of due) {
    const found = await database.within(scope, (tx) => recountArchive(tx, sourceId, at));
    if (found > 0) logger.warn({ sourceId, counters: found }, 'counters of an archive were wrong and have been set right');
    wrong += found;
  }
  return wrong;
}
