import { createDOMRenderer, FluentProvider, RendererProvider } from '@fluentui/react-components';
import { createContext, useContext, useEffect, useMemo, useState } from 'react';
import type { ReactElement, ReactNode } from 'react';
import { themeChoices, themes } from './theme.ts';
import type { ThemeChoice, ThemeName } from './theme.ts';
import { useMedia } from './use-media.ts';

const storageKey = 'holdfast.theme';

interface ThemeState {
  readonly choice: ThemeChoice;
  readonly name: ThemeName;
  /** The page is on its way to paper. */
  readonly isPrinted: boolean;
  readonly choose: (choice: ThemeChoice) => void;
}

const ThemeContext = createContext<ThemeState | null>(null);

/** The theme of the moment and the way to choose another. */
export function useTheme(): ThemeState {
  const state = useContext(ThemeContext);
  if (state === null) throw new Error('Not inside a theme.');
  return state;
}

function storedChoice(): ThemeChoice {
  const stored = localStorage.getItem(storageKey);
  return themeChoices.find((choice) => choice === stored) ?? 'system';
}

export interface ThemeProviderProps {
  /** For the style elements of Fluent's renderer, which the content security policy asks for. */
  readonly nonce: string;
  readonly children: ReactNode;
}

/** Fluent with the reader's theme. Prints in light colours whatever the theme. */
export function ThemeProvider({ nonce, children }: ThemeProviderProps): ReactElement {
  const [choice, setChoice] = useState(storedChoice);
  const dark = useMedia('(prefers-color-scheme: dark)');
  const moreContrast = useMedia('(prefers-contrast: more)');
  const forcedColors = useMedia('(forced-colors: active)');
  const printed = useMedia('print');
  const colourScheme: ThemeName = dark ? 'dark' : 'light';
  const systemTheme: ThemeName = moreContrast || forcedColors ? 'highContrast' : colourScheme;
  const chosen: ThemeName = choice === 'system' ? systemTheme : choice;
  const name: ThemeName = printed ? 'light' : chosen;
  const renderer = useMemo(() => createDOMRenderer(document, nonce === '' ? {} : { styleElementAttributes: { nonce } }), [nonce]);
  const state = useMemo<ThemeState>(
    () => ({
      choice,
      name,
      isPrinted: printed,
      choose(next) {
        localStorage.setItem(storageKey, next);
        setChoice(next);
      },
    }),
    [choice, name, printed],
  );
  useEffect(() => {
    document.documentElement.style.colorScheme = name === 'light' ? 'light' : 'dark';
    document.documentElement.dataset['theme'] = name;
  }, [name]);
  return (
    <ThemeContext value={state}>
      <RendererProvider renderer={renderer} targetDocument={document}>
        <FluentProvider theme={themes[name]} style={{ minHeight: '100%' }}>
          {children}
        </FluentProvider>
      </RendererProvider>
    </ThemeContext>
  );
}
