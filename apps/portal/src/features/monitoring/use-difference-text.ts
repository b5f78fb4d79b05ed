import { useNamedText } from '../../i18n/use-code-text.ts';
import { useText } from '../../i18n/use-text.ts';

/** What did not come back as it was, in words. Columns of lists carry their own name: `column Region`. */
export function useDifferenceText(): (difference: string) => string {
  const text = useText();
  const named = useNamedText('differences');
  return (difference) => {
    const [kind = '', ...name] = difference.split(' ');
    if (kind === 'column' || kind === 'field') return text(`differences.${kind}`, { name: name.join(' ') });
    return named(difference);
  };
}
