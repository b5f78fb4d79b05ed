import type { Problem, Problems } from '@holdfast/engine';

/** Problems are written in groups, and before the resource they belong to ends. */
export interface ProblemBuffer extends Problems {
  flush(): Promise<void>;
}

const GROUP = 100;

export function createProblemBuffer(write: (problems: readonly Problem[]) => Promise<void>): ProblemBuffer {
  let waiting: Problem[] = [];
  async function flush(): Promise<void> {
    const group = waiting;
    waiting = [];
    if (group.length > 0) await write(group);
  }
  return {
    flush,
    async add(problem) {
      waiting.push(problem);
      if (waiting.length >= GROUP) await flush();
    },
  };
}
