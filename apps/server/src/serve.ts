import { systemClock } from '@holdfast/foundation/clock';
import { askedToEnd } from '@holdfast/foundation/ending';
import { errorText } from '@holdfast/foundation/errors';
import type { Logger } from '@holdfast/foundation/logger';
import type { Role } from './platform/feature.ts';
import { startProduct, type Running } from './product/start-product.ts';
import type { Config } from './settings/config.ts';
import { openInstallation } from './platform/installation.ts';

export interface ServeOptions {
  readonly config: Config;
  readonly logger: Logger;
  readonly roles: readonly Role[];
  readonly version: string;
  /** Shows the operator where the first owner is set up. */
  readonly announceSetup: (address: string) => void;
}

const FAILED = 1;
/** The embedded database ended and could not be started again: a supervisor should start the process again. */
const DATABASE_LOST = 3;

/** How long a process may take from the signal to its end: the queue's grace, the answers on their way, the database. */
const STOP_MS = 60_000;
/** Without a database nothing can be handed on, so there is nothing to wait for. */
const STOP_WITHOUT_DATABASE_MS = 5_000;
/** How long a process that has stopped may take to end by itself. */
const HELD_MS = 3_000;

/** Ends the process after this time, whatever still holds it. */
function endAfter(ms: number, logger: Logger, code: number): void {
  systemClock.after(ms, () => {
    logger.warn({ resources: process.getActiveResourcesInfo() }, 'something held the process after it should have ended');
    process.exit(code);
  });
}

async function untilEnd(running: Running, asked: Promise<string>, databaseLost: Promise<Error>, logger: Logger): Promise<number> {
  const reason = await Promise.race([asked, databaseLost]);
  if (reason instanceof Error) {
    logger.fatal({ event: 'database-lost', reason: errorText(reason) }, 'the database ended and could not be started again');
    endAfter(STOP_WITHOUT_DATABASE_MS, logger, DATABASE_LOST);
  } else logger.info({ reason }, 'stopping');
  await running.stop();
  return reason instanceof Error ? DATABASE_LOST : 0;
}

/** Runs the roles until somebody asks to stop or the database is lost for good. Returns the exit code. */
export async function serve({ config, logger, roles, version, announceSetup }: ServeOptions): Promise<number> {
  const asked = askedToEnd();
  // Armed by the signal itself: it may come in the middle of a start, and any step of the end may wait for something that is gone.
  void asked.then(() => endAfter(STOP_MS, logger, FAILED));
  let code = FAILED;
  try {
    const installation = await openInstallation(config, logger, 'keeper');
    try {
      const running = await startProduct({ config, logger, installation, roles, version });
      logger.info({ event: 'ready', address: running.address, roles }, 'ready');
      if (running.setupAddress !== undefined) announceSetup(running.setupAddress);
      code = await untilEnd(running, asked, installation.databaseLost, logger);
    } finally {
      await installation.close();
    }
    logger.info('stopped');
    return code;
  } finally {
    endAfter(HELD_MS, logger, code);
  }
}
