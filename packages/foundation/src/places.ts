/** A place among those that work. Whoever only waits rests in it, and somebody else works meanwhile. */
export interface Place {
  rest(): void;
  /** Takes it up again at once: fewer begin until there are no more than there are places. */
  resume(): void;
}

/** Lets `limit` work at a time, in the order they asked; those that rest don't count. */
export interface Places {
  run<T>(work: (place: Place) => Promise<T>): Promise<T>;
}

export function createPlaces(limit: number): Places {
  let working = 0;
  const queue: (() => void)[] = [];

  function leave(): void {
    working -= 1;
    if (working < limit) queue.shift()?.();
  }

  async function enter(): Promise<void> {
    if (working < limit) {
      working += 1;
      return;
    }
    await new Promise<void>((resolve) =>
      queue.push(() => {
        working += 1;
        resolve();
      }),
    );
  }

  return Object.freeze<Places>({
    async run(work) {
      await enter();
      let isResting = false;
      const place: Place = {
        rest() {
          if (isResting) return;
          isResting = true;
          leave();
        },
        resume() {
          if (!isResting) return;
          isResting = false;
          working += 1;
        },
      };
      try {
        return await work(place);
      } finally {
        if (!isResting) leave();
      }
    },
  });
}
