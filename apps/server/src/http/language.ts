import { de } from '@holdfast/phrases/de';
import { en } from '@holdfast/phrases/en';

/** The languages of the product; English is the default. */
export const languages = ['en', 'de'] as const;
export type Language = (typeof languages)[number];

/** The phrases of a language. */
export function phrasesOf(language: Language): typeof en | typeof de {
  return language === 'de' ? de : en;
}

/** Picks the language that an `Accept-Language` header asks for most. */
export function languageOf(header: string | undefined): Language {
  if (!header) return 'en';
  let best: { language: Language; quality: number } | undefined;
  for (const part of header.split(',', 20)) {
    const [tag = '', ...parameters] = part.trim().toLowerCase().split(';');
    const language = languages.find((known) => tag === known || tag.startsWith(`${known}-`));
    if (!language) continue;
    const given = parameters.find((parameter) => parameter.trim().startsWith('q='));
    const quality = given === undefined ? 1 : Number(given.trim().slice(2));
    if (quality > 0 && (!best || quality > best.quality)) best = { language, quality };
  }
  return best?.language ?? 'en';
}

/** The sentence for a code of the parts below: of the vault, of Microsoft 365. Undefined where there is none. */
export function reasonText(code: string, language: Language): string | undefined {
  const dot = code.indexOf('.');
  const reasons: Readonly<Record<string, Readonly<Record<string, unknown>>>> = phrasesOf(language).reasons;
  const reason = reasons[code.slice(0, dot)]?.[code.slice(dot + 1)];
  return typeof reason === 'string' ? reason : undefined;
}

/** Fills `{{name}}` places of a phrase. An unknown place stays as it is, so that it is seen. */
export function fill(phrase: string, values: Readonly<Record<string, unknown>>): string {
  return phrase.replaceAll(/\{\{(\w+)\}\}/g, (place, name: string) => {
    const value = values[name];
    return typeof value === 'string' || typeof value === 'number' ? String(value) : place;
  });
}
