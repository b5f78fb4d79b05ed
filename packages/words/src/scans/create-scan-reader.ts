import type { Clock } from '@holdfast/foundation/clock';
import { createKillableProcess, ProcessEnded } from '@holdfast/foundation/killable-process';
import type { ScanText } from './scan-text.ts';

/** Recognises the words that pictures show, in English and German, in a process of its own: one that breaks it fails alone. */
export interface ScanReader {
  /** The words of one picture: PNG, JPEG, GIF, BMP or WebP. Never throws for what is in it. */
  read(picture: Uint8Array): Promise<ScanText>;
  close(): Promise<void>;
}

export interface ScanReaderOptions {
  readonly clock: Clock;
  /** How long one picture may take. */
  readonly mostMs?: number;
  /** All that the process may take: its program, its heap and what is outside of it. */
  readonly mostMb?: number;
}

const program = new URL('./scan.process.ts', import.meta.url);
const MOST_MS = 30_000;
const MOST_MB = 512;
const MOST_HEAP_MB = 128;
/** The process holds some 150 MB for its languages: it ends when nobody asks. */
const IDLE_MS = 60_000;

/** A reader whose process starts with the first picture, is replaced when it ends, and ends when nobody asks. */
export function createScanReader({ clock, mostMs = MOST_MS, mostMb = MOST_MB }: ScanReaderOptions): ScanReader {
  const limits = { mostMs, mostHeapMb: MOST_HEAP_MB, idleMs: IDLE_MS, arguments: [String(mostMb)] };
  const reading = createKillableProcess<Uint8Array, string>({ clock, program, ...limits });

  /** A picture is judged by what it takes itself: where earlier ones have left something behind, it is read again. */
  async function read(picture: Uint8Array): Promise<ScanText> {
    try {
      return { text: await reading.ask(picture) };
    } catch (error) {
      if (!(error instanceof ProcessEnded)) return { problem: 'unreadable' };
      if (error.ending === 'time') return { problem: 'too-slow' };
      return error.wasFresh ? { problem: 'too-much-memory' } : read(picture);
    }
  }

  return Object.freeze<ScanReader>({ read, close: () => reading.close() });
}
