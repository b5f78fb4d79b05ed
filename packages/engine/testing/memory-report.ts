import type { EarlierWork, OpenUpload, RestoreLine, RestoreReport, Written } from '../src/restore/request.ts';

/** A report that outlives the workers of its run: what is begun and told is kept as a database would. */
export interface MemoryReport extends RestoreReport {
  readonly lines: readonly RestoreLine[];
  readonly begun: ReadonlyMap<string, readonly string[]>;
  /** What was noted for an undo, in the order of writing. */
  readonly written: readonly Written[];
  /** What a worker finds that takes the run up. What failed is forgotten. */
  earlier(): EarlierWork;
}

export function createMemoryReport(): MemoryReport {
  let lines: RestoreLine[] = [];
  const begun = new Map<string, readonly string[]>();
  const uploads = new Map<string, OpenUpload>();
  const written = new Map<string, Written>();
  return {
    get lines() {
      return lines;
    },
    begun,
    get written() {
      return [...written.values()];
    },
    async wrote(thing) {
      const replaced = written.get(thing.key)?.replaced ?? thing.replaced;
      written.set(thing.key, { ...thing, ...(replaced ? { replaced } : {}) });
    },
    async begin(key, there) {
      if (!begun.has(key)) begun.set(key, there);
    },
    async uploading(key, upload) {
      uploads.set(key, upload);
    },
    async tell(some) {
      lines.push(...some);
      for (const { key, outcome } of some) if (outcome !== 'failed') begun.delete(key);
    },
    earlier() {
      lines = lines.filter(({ outcome }) => outcome !== 'failed');
      const counts: Partial<Record<RestoreLine['outcome'], number>> = {};
      for (const { outcome } of lines) counts[outcome] = (counts[outcome] ?? 0) + 1;
      return {
        counts,
        begun: new Map(begun),
        uploads: new Map([...uploads].filter(([key]) => begun.has(key))),
        told: async (keys) => new Map(lines.filter(({ key }) => keys.includes(key)).map((line) => [line.key, line])),
        targets: async (ids) => new Set(ids.filter((id) => lines.some(({ targetId }) => targetId === id))),
      };
    },
  };
}
