import type { Clock } from '@holdfast/foundation/clock';
import type { BlobStore } from '../blob/blob-store.ts';
import type { VaultKeys } from '../crypto/vault-keys.ts';
import { vaultError } from '../shared/errors.ts';
import { readMarks, type NamedMark } from './marks.ts';

/**
 * Keeps writers and prune apart. A writer does not rely on blobs in marked packs; what it relied on
 * before a mark came is safe for the first half of the grace time, because the sweep looks again at
 * what is named; later it is refused (FORMAT.md section 10).
 */
export interface MarkGuard {
  /** Reads the marks again. */
  refresh(): Promise<void>;
  /** As of the last `refresh`. */
  readonly isMarked: (packId: string) => boolean;
  /** Whether, as of now, nothing is about to be swept. */
  readonly isClear: () => Promise<boolean>;
  /** `vault.prune-conflict` when one of these packs may be swept before a commit that names it is seen. */
  readonly checkPacks: (packIds: ReadonlySet<string>) => Promise<void>;
}

export function createMarkGuard(options: { readonly store: BlobStore; readonly keys: VaultKeys; readonly clock: Clock }): MarkGuard {
  let marks: readonly NamedMark[] = [];
  let marked = new Set<string>();

  async function refresh(): Promise<void> {
    marks = await readMarks(options.store, options.keys);
    marked = new Set(marks.flatMap((mark) => mark.packIds));
  }

  return {
    refresh,
    isMarked: (packId) => marked.has(packId),
    async isClear() {
      await refresh();
      return marks.length === 0;
    },
    async checkPacks(packIds) {
      if (packIds.size === 0) return;
      await refresh();
      const nowMs = options.clock.nowMs();
      for (const mark of marks) {
        const tooLateMs = (Date.parse(mark.markedAt) + Date.parse(mark.sweepAt)) / 2;
        const swept = mark.packIds.find((packId) => packIds.has(packId));
        if (swept !== undefined && nowMs >= tooLateMs) {
          throw vaultError('vault.prune-conflict', 'Content that this run relied on is being pruned: it has to be taken in again.', {
            packId: swept,
          });
        }
      }
    },
  };
}
