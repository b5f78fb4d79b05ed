import type { Clock } from '@holdfast/foundation/clock';
import { createKillableProcess, ProcessEnded } from '@holdfast/foundation/killable-process';
import type { Drawing, PageQuestion } from './drawing.ts';
import { IDLE_MS, MOST_BYTES, MOST_HEAP_MB, MOST_MB, MOST_MS, MOST_WAITING } from './limits.ts';

/** Draws files of anybody in a process of its own: one that breaks it, or takes for ever, fails alone. */
export interface Previewer {
  /** A page of a PDF file, or a picture. Never throws for what is in it. */
  page(question: PageQuestion): Promise<Drawing>;
  close(): Promise<void>;
}

export interface PreviewerOptions {
  readonly clock: Clock;
  /** How long one picture may take. */
  readonly mostMs?: number;
  /** What the process may take. */
  readonly mostMb?: number;
}

const program = new URL('./preview.process.ts', import.meta.url);

/** A previewer whose process starts with the first question, is replaced when it ends, and ends when nobody asks. */
export function createPreviewer({ clock, mostMs = MOST_MS, mostMb = MOST_MB }: PreviewerOptions): Previewer {
  const limits = { mostMs, mostHeapMb: MOST_HEAP_MB, idleMs: IDLE_MS, arguments: [String(mostMb)] };
  const drawing = createKillableProcess<PageQuestion, Drawing>({ clock, program, ...limits });
  let waiting = 0;

  /** A file is judged by what it takes itself: where earlier ones have left something behind, it is drawn again. */
  async function draw(question: PageQuestion): Promise<Drawing> {
    try {
      return await drawing.ask(question);
    } catch (error) {
      if (!(error instanceof ProcessEnded)) return { problem: 'unreadable' };
      if (error.ending === 'time') return { problem: 'too-slow' };
      return error.wasFresh ? { problem: 'too-much-memory' } : draw(question);
    }
  }

  return Object.freeze<Previewer>({
    async page(question) {
      if (question.bytes.byteLength > MOST_BYTES) return { problem: 'too-large' };
      if (waiting >= MOST_WAITING) return { problem: 'busy' };
      waiting += 1;
      try {
        return await draw(question);
      } finally {
        waiting -= 1;
      }
    },
    close: () => drawing.close(),
  });
}
