import { useNamedText } from '../../i18n/use-code-text.ts';
import { useText } from '../../i18n/use-text.ts';

/** What did not come back as it was and has a name of its own: `column Region`. */
const NAMED = [
  'column',
  'field',
  'fieldUnwritable',
  'fieldShortened',
  'fieldRefused',
  'fieldKept',
  'fieldWithoutColumn',
  'name',
  'header',
  'messageFormat',
  'permissionLevel',
  'contentTypeColumns',
  'listContentType',
] as const;

/** What did not come back as it was, in words. */
export function useDifferenceText(): (difference: string) => string {
  const text = useText();
  const named = useNamedText('differences');
  return (difference) => {
    const [kind = '', ...name] = difference.split(' ');
    const known = NAMED.find((one) => one === kind);
    if (known) return text(`differences.${known}`, { name: name.join(' ') });
    return named(difference);
  };
}
