import { common } from '@holdfast/phrases/en/common';
import { failures } from '@holdfast/phrases/en/failures';
import { noticePage } from '@holdfast/phrases/en/notice-page';
import { roles } from '@holdfast/phrases/en/roles';
import { shell } from '@holdfast/phrases/en/shell';
import { signIn } from '@holdfast/phrases/en/sign-in';
import { validation } from '@holdfast/phrases/en/validation';
import i18next from 'i18next';
import type { i18n, PostProcessorModule } from 'i18next';
import { initReactI18next } from 'react-i18next';
import type { PhraseKey, PhraseValues } from './phrase-key.ts';

export const languages = ['en', 'de'] as const;
export type Language = (typeof languages)[number];
/** A language for developers that marks every text which came through the phrases. */
export const pseudoLanguage = 'pseudo';

const storageKey = 'holdfast.language';

const pseudo: PostProcessorModule = {
  type: 'postProcessor',
  name: pseudoLanguage,
  process: (value, _keys, _options, translator: { language?: string }) => (translator.language === pseudoLanguage ? `⟦${value}⟧` : value),
};

/** What visitors can come to see; the rest comes with the frame of the pages behind the sign-in. */
const visitorTexts = { common, failures, noticePage, roles, shell, signIn, validation };

/** The languages of the portal: English at once, German when it is first chosen. */
export interface Languages {
  readonly i18n: i18n;
  readonly current: () => string;
  choose(language: string): Promise<void>;
  /** Loads the texts of every page in English; German comes as a whole. */
  readonly loadPages: () => Promise<void>;
  readonly text: (key: PhraseKey, values?: PhraseValues) => string;
}

export interface LanguageParts {
  readonly storage: Pick<Storage, 'getItem' | 'setItem'>;
  readonly page: Pick<Document, 'documentElement'>;
}

/** English whatever the browser says, unless another language was chosen before. */
export async function createLanguages({ storage, page }: LanguageParts): Promise<Languages> {
  const instance = i18next.createInstance();
  await instance
    .use(initReactI18next)
    .use(pseudo)
    .init({
      lng: 'en',
      fallbackLng: 'en',
      resources: { en: { translation: visitorTexts } },
      interpolation: { escapeValue: false },
      postProcess: [pseudoLanguage],
      returnNull: false,
    });
  const show = async (language: string): Promise<void> => {
    if (language === 'de' && !instance.hasResourceBundle('de', 'translation')) {
      const { de } = await import('@holdfast/phrases/de');
      instance.addResourceBundle('de', 'translation', de);
    }
    await instance.changeLanguage(language);
    page.documentElement.lang = language === pseudoLanguage ? 'en' : language;
  };
  const stored = storage.getItem(storageKey);
  await show(stored === 'de' || stored === pseudoLanguage ? stored : 'en');
  return {
    i18n: instance,
    current: () => instance.language,
    async choose(language) {
      storage.setItem(storageKey, language);
      await show(language);
    },
    async loadPages() {
      const { en } = await import('@holdfast/phrases/en');
      // All of it, the visitor's texts too: nothing is to be merged key by key.
      instance.addResourceBundle('en', 'translation', en);
    },
    text: (key, values) => instance.t(key, { ...values }),
  };
}
