import type { X509Certificate } from 'node:crypto';
import type { Database } from '@holdfast/database';
import type { Clock } from '@holdfast/foundation/clock';
import type { Logger } from '@holdfast/foundation/logger';
import { nothingToStop, type Feature } from '../../platform/feature.ts';
import type { Config } from '../../settings/config.ts';
import type { AuditInbox, LogStamps } from '../audit/index.ts';
import { createAuthority } from './authority.ts';
import { readRoots } from './roots.ts';
import { createTimestamps, type TimestampsParts } from './timestamps.service.ts';
import { createTimestampsStore } from './timestamps.store.ts';
import { timestampProblems } from './verify-timestamps.ts';

export interface TimestampsPorts extends Pick<TimestampsParts, 'newest' | 'stalled'> {
  readonly config: Pick<Config, 'HOLDFAST_TIMESTAMP_URL' | 'HOLDFAST_TIMESTAMP_ROOTS'>;
  readonly database: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly audit: AuditInbox;
}

export interface TimestampsFeature extends Feature {
  /** For the log: its proofs carry the stamps, and its verification checks them. */
  readonly stamps: LogStamps;
}

/** Time stamps on the audit log, where the operator has named an authority. */
export function createTimestampsFeature(ports: TimestampsPorts): TimestampsFeature {
  const { HOLDFAST_TIMESTAMP_URL: url, HOLDFAST_TIMESTAMP_ROOTS: file } = ports.config;
  const store = createTimestampsStore(ports.database);
  let known: Promise<readonly X509Certificate[]> | undefined;
  const roots = (): Promise<readonly X509Certificate[]> => (known ??= file === undefined ? Promise.resolve([]) : readRoots(file));
  return Object.freeze<TimestampsFeature>({
    stamps: {
      covering: (sequence) => store.covering(sequence),
      problems: async (recorded) => timestampProblems({ stamped: await store.all(), recorded, roots: await roots() }),
      async state() {
        if (url === undefined) return undefined;
        const [last, missing] = await Promise.all([store.last(), store.missing()]);
        return { last, missing };
      },
    },
    start: {
      async scheduler() {
        if (url === undefined) return nothingToStop;
        return createTimestamps({ ...ports, store, authority: createAuthority({ url, roots: await roots() }) }).start();
      },
    },
  });
}
