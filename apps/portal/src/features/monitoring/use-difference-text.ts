import { useTranslation } from 'react-i18next';
import { useText } from '../../i18n/use-text.ts';

/** What did not come back as it was, in words. Columns of lists carry their own name: `column Region`. */
export function useDifferenceText(): (difference: string) => string {
  const text = useText();
  const { t, i18n } = useTranslation();
  return (difference) => {
    const [kind = '', ...name] = difference.split(' ');
    if (kind === 'column' || kind === 'field') return text(`differences.${kind}`, { name: name.join(' ') });
    const key = `differences.${difference}`;
    return i18n.exists(key) ? t(key) : difference;
  };
}
