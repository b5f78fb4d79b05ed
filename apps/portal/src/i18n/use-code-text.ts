import { useTranslation } from 'react-i18next';

/** Where the words for a code may stand. */
const places = ['errors', 'advice', 'reasons', 'stages', 'kinds'] as const;

/** The words for a name of one group of phrases; a name that has none is shown as it is. */
export function useNamedText(group: string): (name: string) => string {
  const { t, i18n } = useTranslation();
  return (name) => {
    const key = `${group}.${name}`;
    return i18n.exists(key) ? t(key) : name;
  };
}

/** The words for a code of the server: of an error, a cause, an advice, a stage. An unknown one is shown as it is. */
export function useCodeText(): (code: string | null | undefined) => string {
  const { t, i18n } = useTranslation();
  return (code) => {
    if (!code) return '–';
    const key = [code, ...places.map((place) => `${place}.${code}`)].find((one) => i18n.exists(one) && typeof t(one) === 'string');
    return key === undefined ? code : t(key);
  };
}
