import type { X509Certificate } from 'node:crypto';
import { sha256Hex } from '@holdfast/foundation/bytes';
import type { StampedNote } from '../audit/index.ts';
import { checkTimestamp } from './token.ts';

export interface StampedLog {
  readonly stamped: readonly StampedNote[];
  /** The hashes of the tokens that the log says there are. */
  readonly recorded: ReadonlySet<string>;
  readonly roots: readonly X509Certificate[];
}

/** What is wrong with the time stamps: each by itself, and those that the log knows and that are no longer there. */
export function timestampProblems({ stamped, recorded, roots }: StampedLog): string[] {
  // Without an authority that is believed nothing is said about the stamps but whether they are there.
  const checked = roots.length === 0 ? [] : stamped;
  const problems = checked.flatMap(({ size, note, stampedAt, token }) => {
    const verdict = checkTimestamp(token, { content: Buffer.from(note), roots });
    if ('fault' in verdict) return [`time stamp of checkpoint ${size}: ${verdict.fault}`];
    return verdict.stamp.at.getTime() === stampedAt.getTime() ? [] : [`time stamp of checkpoint ${size}: its row names another time`];
  });
  const held = new Set(stamped.map(({ token }) => sha256Hex(token)));
  const gone = [...recorded].filter((hash) => !held.has(hash));
  return [...problems, ...gone.map((hash) => `time stamp ${hash.slice(0, 16)}: recorded in the log and no longer there`)];
}
