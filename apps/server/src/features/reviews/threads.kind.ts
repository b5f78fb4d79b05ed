import type { ReviewThreads } from '@holdfast/contract/review-values';
import type { Database, Scope } from '@holdfast/database';
import { createItemReader } from '@holdfast/engine';
import { now, type Clock } from '@holdfast/foundation/clock';
import { AppError } from '@holdfast/foundation/errors';
import { nearCopies, readLess } from '@holdfast/words/threads';
import type { JobKind } from '../../runs/kind.ts';
import type { CaseScope } from '../cases/index.ts';
import { caseScopeOfSet } from './review-sets.views.ts';
import { createReviewThreadsStore, type MailPlace } from './review-threads.store.ts';
import { readSetMails, type ComparedMails, type ThreadReadingParts } from './thread-reading.ts';

export interface ThreadsKindOptions extends Omit<ThreadReadingParts, 'threads' | 'items'> {
  readonly database: Database;
  readonly clock: Clock;
}

/** From this share of common words in a row on, texts are near copies. */
const NEAR = 0.8;

/** The places of mails by their positions in the set. */
function placesOf({ mails }: ComparedMails): MailPlace[] {
  const positionOf = (at: number): number => mails[at]?.position ?? 0;
  const near = nearCopies(
    mails.map(({ shingles }) => shingles),
    NEAR,
  );
  return readLess(mails.map(({ mail }) => mail)).map(({ thread, role, shownBy }, at) => ({
    position: positionOf(at),
    thread: positionOf(thread),
    role,
    shownBy: positionOf(shownBy),
    pivot: positionOf(near[at]?.pivot ?? at),
    likeness: near[at]?.likeness ?? 1,
  }));
}

function figuresOf(places: readonly MailPlace[], notCompared: number): NonNullable<ReviewThreads['figures']> {
  return {
    mails: places.length + notCompared,
    threads: new Set(places.map(({ thread }) => thread)).size,
    toRead: places.filter(({ position, shownBy }) => position === shownBy).length + notCompared,
    nearCopies: places.filter(({ position, pivot }) => position !== pivot).length,
    notCompared,
  };
}

/** Finding threads as runs: they are asked for through review sets alone. What one leaves is there as a whole or not at all. */
export function createThreadsKind(options: ThreadsKindOptions): JobKind<'threads'> {
  const threads = createReviewThreadsStore(options.database);
  const scopeOf = (scope: Scope, setId: string): Promise<CaseScope | undefined> =>
    options.database.within(scope, (tx) => caseScopeOfSet(tx, setId));
  async function readAll(
    scope: Scope,
    set: { readonly setId: string; readonly within: CaseScope },
    told: Parameters<typeof readSetMails>[2],
  ): Promise<ComparedMails> {
    const items = createItemReader(options.clock);
    try {
      return await readSetMails({ ...options, items, threads }, { scope, ...set }, told);
    } finally {
      await items.close();
    }
  }
  return Object.freeze<JobKind<'threads'>>({
    type: 'threads',
    checkStored: () => Promise.reject(new AppError('jobs.type-unavailable', { details: { field: 'type' } })),
    async handle({ scope, run, progress, signal }) {
      const { setId } = run.body;
      progress.stage('preparing');
      progress.expect(1);
      const within = await scopeOf(scope, setId);
      if (!within) throw new AppError('not-found');
      progress.stage('reading');
      const figures = progress.of(run.runId);
      const onRead = (processed: number): void =>
        figures.report({ stage: 'reading', processed, total: processed, bytes: 0, errors: 0, itemsPerSecond: 0, bytesPerSecond: 0 });
      const read = await readAll(scope, { setId, within }, { signal, onRead });
      progress.stage('committing');
      const places = placesOf(read);
      const found = figuresOf(places, read.notCompared);
      await threads.keep(scope, setId, { places, figures: found, at: now(options.clock) });
      return { status: 'successful', code: null, result: found };
    },
  });
}
