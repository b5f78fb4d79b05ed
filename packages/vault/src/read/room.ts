/** Pieces of memory are multiples of this, so that gaps can be used again. */
const GRAIN_BYTES = 256;

/** Says which part of one piece of memory is free. Holds no memory itself. */
export interface Room {
  /** Where `bytes` are free now; `undefined` when there is no such gap. */
  take(bytes: number): number | undefined;
  /** Gives back what was taken there. */
  give(at: number, bytes: number): void;
}

interface Gap {
  start: number;
  end: number;
}

const rounded = (bytes: number): number => Math.max(1, Math.ceil(bytes / GRAIN_BYTES)) * GRAIN_BYTES;

/** A room of `sizeBytes`: the first gap that is large enough is taken, neighbours become one again. */
export function createRoom(sizeBytes: number): Room {
  /** In order, none touching the next. */
  const gaps: Gap[] = [{ start: 0, end: sizeBytes }];

  /** Place in `gaps` of the first one that begins at or after `at`. */
  function firstFrom(at: number): number {
    let low = 0;
    let high = gaps.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((gaps[middle] as Gap).start < at) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  return {
    take(bytes) {
      const needed = rounded(bytes);
      const place = gaps.findIndex(({ start, end }) => end - start >= needed);
      const gap = gaps[place];
      if (!gap) return undefined;
      const at = gap.start;
      gap.start += needed;
      if (gap.start === gap.end) gaps.splice(place, 1);
      return at;
    },
    give(at, bytes) {
      const end = at + rounded(bytes);
      const place = firstFrom(at);
      const [before, after] = [gaps[place - 1], gaps[place]];
      const joinsBefore = before?.end === at;
      const joinsAfter = after?.start === end;
      if (before && joinsBefore) {
        before.end = after && joinsAfter ? after.end : end;
        if (joinsAfter) gaps.splice(place, 1);
      } else if (after && joinsAfter) after.start = at;
      else gaps.splice(place, 0, { start: at, end });
    },
  };
}
