import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { AppError, isAppError, systemCode } from '@holdfast/foundation/errors';
import type { Ids } from '@holdfast/foundation/ids';
import type { Logger } from '@holdfast/foundation/logger';
import { writeWholeFile } from '@holdfast/foundation/whole-file';
import { z } from 'zod';
import type { WorkerBody } from './worker-access.service.ts';
import type { WorkersService } from './workers.service.ts';
import type { Beat } from './workers.store.ts';
import { worksWith } from './version.policy.ts';

const kept = z.object({ workers: z.array(z.object({ workerId: z.string(), heartbeatToken: z.string() })) });
type Registration = z.infer<typeof kept>['workers'][number];

export interface RegistrationParts {
  readonly workers: Pick<WorkersService, 'join' | 'heartbeat' | 'servedVersion'>;
  /** What this worker got when it joined; readable by this user alone. */
  readonly file: string;
  readonly self: WorkerBody & { readonly version: string };
  readonly ids: Ids;
  readonly logger: Logger;
}

/** A worker that is a process of its own, as the organisations that made its tokens know it. */
export interface WorkerRegistration {
  /** Joins with a token, unless it has been used up here before. Throws when it is refused. */
  join(token: string): Promise<void>;
  /** Says that this worker is alive, everywhere it has joined; false when it has joined nowhere. */
  beat(beat: Omit<Beat, 'at'>): Promise<boolean>;
  /** Throws `workers.version-refused` when the installation is too far ahead of this process, or behind. */
  requireVersion(): Promise<void>;
}

export function createWorkerRegistration(parts: RegistrationParts): WorkerRegistration {
  const { workers, file, self, ids, logger } = parts;

  async function read(): Promise<Registration[]> {
    try {
      return kept.parse(JSON.parse(await readFile(file, 'utf8'))).workers;
    } catch (error) {
      if (systemCode(error) === 'ENOENT') return [];
      throw error;
    }
  }

  async function write(registrations: readonly Registration[]): Promise<void> {
    await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
    await writeWholeFile(file, JSON.stringify({ workers: registrations }), { mode: 0o600 });
  }

  return Object.freeze<WorkerRegistration>({
    async join(token) {
      const known = await read();
      try {
        const { workerId, heartbeatToken } = await workers.join(
          { ...self, joinToken: token },
          { address: self.ip, userAgent: `holdfast-worker/${self.version}`, requestId: ids.token(12), language: 'en' },
        );
        await write([...known, { workerId, heartbeatToken }]);
        logger.info({ workerId, ip: self.ip }, 'worker joined');
      } catch (error) {
        // The token stays in the settings after it has been used up: a restart is no new worker.
        if (isAppError(error, 'workers.join-refused') && known.length > 0) return;
        throw error;
      }
    },
    async beat(beat) {
      const known = await read();
      const alive: Registration[] = [];
      for (const one of known) {
        try {
          await workers.heartbeat(one.heartbeatToken, beat);
          alive.push(one);
        } catch (error) {
          if (!isAppError(error, 'unauthorized')) throw error;
          logger.warn({ workerId: one.workerId }, 'this worker was removed by an administrator');
        }
      }
      if (alive.length < known.length) await write(alive);
      return alive.length > 0;
    },
    async requireVersion() {
      const served = await workers.servedVersion();
      if (served === undefined || worksWith(served, self.version)) return;
      throw new AppError('workers.version-refused', {
        message: `This worker has version ${self.version}, the installation ${served}. It takes no work: bring both to the same version.`,
      });
    },
  });
}
