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

/** Numbers, bytes, dates and durations in the language of the moment. */
export function useFormat(): Format {
  const { i18n } = useTranslation();
  const { language } = i18n;
  return useMemo(() => createFormat(language), [language]);
}
