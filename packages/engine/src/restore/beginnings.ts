import { crashPoint } from '@holdfast/foundation/crash-point';
import type { EarlierWork, OpenUpload, RestoreReport, Written, WrittenThing } from './request.ts';

/** Something at the target. */
interface Thing {
  readonly id: string;
}

/** How something is made that no name tells from others. */
export interface Making {
  readonly key: string;
  /** What at the target may be it. */
  readonly list: () => Promise<readonly Thing[]>;
  /** `recover` finds what a request has made whose answer was lost. */
  readonly make: (recover: () => Promise<Thing | undefined>) => Promise<string>;
}

/** Keeps apart what was at the target before and what this run has written there, also when the worker that wrote it is dead. */
export interface Beginnings {
  /** An earlier worker had begun this item. */
  isBegun(key: string): boolean;
  /** Those of these things that an earlier worker made of this item and did not come to tell of. They may be half. */
  leftOf<Found extends Thing>(key: string, there: readonly Found[]): Promise<readonly Found[]>;
  /** An earlier worker made this of the item and did not come to tell of it. */
  isLeft(key: string, thing: Thing): Promise<boolean>;
  /** Durable when it returns: this item is about to be written beside these things. */
  begin(key: string, there: readonly Thing[]): Promise<void>;
  /** Durable when it returns: this upload is open for the item. */
  uploading(key: string, upload: OpenUpload): Promise<void>;
  /** The upload that an earlier worker had open for this item: given once, to be gone on with or given up. */
  takeUpload(key: string): OpenUpload | undefined;
  /** Those that nobody has taken. */
  takeUploads(): readonly OpenUpload[];
  /** Whether notes are kept at all: nobody undoes a drill, and nothing need be read for its notes. */
  readonly isNoted: boolean;
  /** Notes what was written, so that it can be undone. */
  wrote(thing: WrittenThing): Promise<void>;
}

/** `home` is the resource that receives; what is written without one is not noted. */
export function createBeginnings(report: RestoreReport, earlier: EarlierWork | undefined, home?: Written['home']): Beginnings {
  const leftOf = async <Found extends Thing>(key: string, there: readonly Found[]): Promise<readonly Found[]> => {
    const before = earlier?.begun.get(key);
    if (!earlier || !before) return [];
    const since = there.filter(({ id }) => !before.includes(id));
    // Another item of the same looks may have come to its end.
    const told = await earlier.targets(since.map(({ id }) => id));
    return since.filter(({ id }) => !told.has(id));
  };
  const uploads = new Map(earlier?.uploads);
  const takeUpload = (key: string): OpenUpload | undefined => {
    const left = uploads.get(key);
    uploads.delete(key);
    return left;
  };
  return {
    takeUpload,
    takeUploads: () => [...uploads.keys()].flatMap((key) => takeUpload(key) ?? []),
    uploading: (key, upload) => report.uploading(key, upload),
    isNoted: home !== undefined && report.wrote !== undefined,
    async wrote(thing) {
      if (home) await report.wrote?.({ ...thing, home: { kind: home.kind, graphId: home.graphId, name: home.name } });
    },
    isBegun: (key) => earlier?.begun.has(key) ?? false,
    leftOf,
    isLeft: async (key, thing) => (await leftOf(key, [thing])).length > 0,
    // Only what was there at the first attempt counts, not what later attempts found.
    begin: (key, there) => report.begin(key, earlier?.begun.get(key) ?? there.map(({ id }) => id)),
  };
}

/** Makes it once: what a worker that died has made of it is gone on with (`isLeft`), though it had not come to tell of it. */
export async function makeOnce(
  beginnings: Beginnings,
  { key, list, make }: Making,
): Promise<{ readonly id: string; readonly isLeft: boolean }> {
  const there = await list();
  const [left] = await beginnings.leftOf(key, there);
  if (left) return { id: left.id, isLeft: true };
  await beginnings.begin(key, there);
  const id = await make(async () => (await list()).find((one) => !there.some((before) => before.id === one.id)));
  await crashPoint('restore.container-made');
  return { id, isLeft: false };
}
