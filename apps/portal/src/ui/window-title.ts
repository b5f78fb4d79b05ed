import { createContext, useContext, useEffect } from 'react';
import { useText } from '../i18n/use-text.ts';

/** The name of the organisation in the window's title; set once by the shell. */
export const WindowOwner = createContext<string | null>(null);

/** "Backup jobs – Contoso – Holdfast". */
export function useWindowTitle(title: string): void {
  const text = useText();
  const owner = useContext(WindowOwner);
  useEffect(() => {
    document.title =
      owner === null ? text('common.windowTitleAlone', { page: title }) : text('common.windowTitle', { page: title, organisation: owner });
  }, [owner, text, title]);
}
