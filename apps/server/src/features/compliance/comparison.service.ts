import type { compliance } from '@holdfast/contract/compliance';
import type { BodyOf, ResponseOf } from '@holdfast/contract/route';
import { AppError } from '@holdfast/foundation/errors';
import type { ContentCaller, ContentService } from '../content/index.ts';
import { wordDifferences } from './word-differences.ts';

type Compare = (typeof compliance)['compare'];
type Compared = BodyOf<Compare>['older'];

/** Of longer texts the beginnings are compared. */
const MOST_CHARACTERS = 200_000;

export interface ComparisonService {
  /** What differs between two versions of a file, word by word. */
  compare(caller: ContentCaller, tenantId: string, body: BodyOf<Compare>, signal: AbortSignal): Promise<ResponseOf<Compare>>;
}

export function createComparisonService(reading: Pick<ContentService, 'words'>): ComparisonService {
  async function textOf(caller: ContentCaller, place: Compared & { readonly tenantId: string }, signal: AbortSignal): Promise<string> {
    const text = await reading.words(caller, place, signal);
    if (text === null) throw new AppError('compliance.no-words');
    return text;
  }
  return Object.freeze<ComparisonService>({
    async compare(caller, tenantId, body, signal) {
      const older = await textOf(caller, { tenantId, ...body.older }, signal);
      const newer = await textOf(caller, { tenantId, ...body.newer }, signal);
      const isCut = Math.max(older.length, newer.length) > MOST_CHARACTERS;
      return { parts: await wordDifferences(older.slice(0, MOST_CHARACTERS), newer.slice(0, MOST_CHARACTERS)), isCut };
    },
  });
}
