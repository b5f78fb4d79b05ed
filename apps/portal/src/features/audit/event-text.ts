import { useCodeText } from '../../i18n/use-code-text.ts';

/** The words for an event of the log; one that has none is shown by its name. */
export function useEventText(): (event: string) => string {
  const codeText = useCodeText();
  return (event) => {
    const key = `auditEvents.${event}`;
    const words = codeText(key);
    return words === key ? event : words;
  };
}
