import { eld } from 'eld/small';

/** More of a text makes the guess no better. */
const READ = 2_000;

/** The language of a text as an ISO 639-1 code; null where the words do not tell. */
export function languageOf(text: string): string | null {
  const found = eld.detect(text.slice(0, READ));
  return found.language !== '' && found.isReliable() ? found.language : null;
}
