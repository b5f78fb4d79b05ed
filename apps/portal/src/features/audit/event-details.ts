import type { audit } from '@holdfast/contract/audit';
import type { ResponseOf } from '@holdfast/contract/route';
import { useNamedText } from '../../i18n/use-code-text.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';

type Details = ResponseOf<typeof audit.list>['items'][number]['details'];

const instantText = /^\d{4}-\d\d-\d\dT\d\d:\d\d:/;

/** What an event tells besides, in the words of the reader; names and values that nobody has words for as they are. */
export function useEventDetails(): (details: Details) => readonly (readonly [string, string])[] {
  const text = useText();
  const format = useFormat();
  const nameText = useNamedText('audit.fields');
  const valueText = useNamedText('audit.values');

  function word(name: string, value: string): string {
    if (instantText.test(value)) return format.dateTime(value);
    if (value === '') return value;
    const key = `${name}.${value}`;
    const found = valueText(key);
    return found === key ? value : found;
  }

  function words(name: string, value: Details[string]): string {
    if (typeof value === 'boolean') return text(value ? 'audit.values.yes' : 'audit.values.no');
    if (typeof value === 'number') return format.count(value);
    const texts = value === null ? [] : typeof value === 'string' ? [value] : value;
    return texts.map((one) => word(name, one)).join(', ') || '–';
  }

  return (details) => Object.entries(details).map(([name, value]) => [nameText(name), words(name, value)] as const);
}
