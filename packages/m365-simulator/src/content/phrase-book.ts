import type { Language } from '../state/directory.ts';

/** The words of one language. */
export interface PhraseBook {
  readonly language: Language;
  readonly subjects: readonly string[];
  readonly openings: readonly string[];
  readonly sentences: readonly string[];
  readonly closings: readonly string[];
  readonly topics: readonly string[];
  readonly documents: readonly string[];
  readonly parts: readonly string[];
  readonly projects: readonly string[];
  readonly cities: readonly string[];
  readonly days: readonly string[];
  readonly months: readonly string[];
  readonly replyPrefix: string;
  readonly forwardPrefix: string;
  readonly quoteHeader: readonly string[];
  readonly disclaimer: string;
}
