import { expect, test } from 'vitest';
import { de } from './de.ts';
import { en } from './en.ts';
import { germanTexts } from './testing/spec-texts-german.ts';
import { specTexts } from './testing/spec-texts.ts';

function textsOf(value: unknown, path = ''): ReadonlyMap<string, string> {
  if (typeof value === 'string') return new Map([[path, value]]);
  return new Map(
    Object.entries(value as Record<string, unknown>).flatMap(([key, inner]) => [...textsOf(inner, path === '' ? key : `${path}.${key}`)]),
  );
}

const english = textsOf(en);
const german = textsOf(de);

const promised = Object.entries(specTexts).flatMap(([section, texts]) =>
  Object.entries(texts).map(([key, words]) => [section, key, words] as const),
);
test.each(promised)('of %s, the phrase %s says what was agreed, in English and in German', (_section, key, words) => {
  expect(english.get(key)).toBe(words);
  expect(german.get(key)).toBe(germanTexts[key as keyof typeof germanTexts]);
  expect(german.get(key)).not.toBe(words);
});

test("the message about the configuration is the specification's sentence", () => {
  expect(en.failures.retrieveConfiguration).toContain("Couldn't retrieve configuration");
});

test('German adds the temporary server error that asks to retry in 30 seconds', () => {
  expect(de.failures.temporary).toContain('in 30 Sekunden');
});

test('a translation keeps the gaps of its original', () => {
  const gaps = (text: string): string =>
    [...text.matchAll(/\{\{(\w+)\}\}/g)]
      .map((match) => match[1])
      .sort((one, other) => (one ?? '').localeCompare(other ?? ''))
      .join();
  for (const [place, text] of english) expect(gaps(german.get(place) ?? ''), place).toBe(gaps(text));
});

test('German is formal and uses its own quotation marks', () => {
  for (const [place, text] of german) {
    expect(text, place).not.toMatch(/\b[Dd](?:u|ein|eine|einen|ir|ich)\b/);
    expect(text, place).not.toMatch(/(?:^|\s)"/);
  }
});
