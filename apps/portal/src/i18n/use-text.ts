import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Format } from './format.ts';
import { createFormat } from './format.ts';
import type { Translate } from './phrase-key.ts';

/** Texts in the language of the moment; the component renders again when it changes. */
export function useText(): Translate {
  const { t, i18n } = useTranslation();
  // `t` is another function for each language, which is what makes memoised parts render again.
  return useMemo<Translate>(() => {
    const translate = i18n.getFixedT(i18n.language);
    return (key, values) => translate(key, { ...values });
    // eslint-disable-next-line react-hooks/exhaustive-deps -- t stands for the language and its loaded texts
  }, [i18n, t]);
}

/** One for each language: making what `Intl` needs takes longer than anything that is done with it. */
const formats = new Map<string, Format>();

function formatOf(language: string): Format {
  const known = formats.get(language) ?? createFormat(language);
  formats.set(language, known);
  return known;
}

/** Numbers, bytes, dates and durations in the language of the moment. */
export function useFormat(): Format {
  return formatOf(useTranslation().i18n.language);
}
