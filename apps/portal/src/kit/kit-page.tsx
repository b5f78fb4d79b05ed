import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { usePortal } from '../api/portal-context.ts';
import type { PhraseKey } from '../i18n/phrase-key.ts';
import { useText } from '../i18n/use-text.ts';
import { CommandBar } from '../ui/command-bar.tsx';
import { Stack } from '../ui/layout.tsx';
import { Page } from '../ui/page.tsx';
import { useTheme } from '../ui/theme-provider.tsx';
import { themeChoices } from '../ui/theme.ts';
import type { ThemeChoice } from '../ui/theme.ts';
import { Dialogs } from './specimens-dialogs.tsx';
import { Fields } from './specimens-form.tsx';
import { Lists } from './specimens-lists.tsx';
import { Pieces } from './specimens-pieces.tsx';
import { Specimen } from './specimen.tsx';

const themeLabels: Readonly<Record<ThemeChoice, PhraseKey>> = {
  system: 'shell.themeSystem',
  light: 'shell.themeLight',
  dark: 'shell.themeDark',
  highContrast: 'shell.themeHighContrast',
};

/** Every part of the kit, in the theme and the language that the bar above chooses. */
export function KitPage(): ReactElement {
  const text = useText();
  return (
    <main id="content">
      <Page
        title="Holdfast kit"
        lead={text('dashboard.lead')}
        crumbs={[{ label: text('shell.helpCenter'), to: '/centred' }]}
        commands={<Choices />}
      >
        <Stack loose>
          <Pieces />
          <Specimen name="Form">
            <Fields />
          </Specimen>
          <Dialogs />
          <Lists />
        </Stack>
      </Page>
    </main>
  );
}

/** More commands than fit: the last ones stand behind "More". */
function Choices(): ReactElement {
  const text = useText();
  const theme = useTheme();
  const { languages } = usePortal();
  const { i18n } = useTranslation();
  return (
    <CommandBar
      commands={[
        ...themeChoices.map((choice) => ({
          id: choice,
          label: text(themeLabels[choice]),
          run: () => theme.choose(choice),
          isPrimary: theme.choice === choice,
        })),
        ...(['en', 'de'] as const).map((language) => ({
          id: language,
          label: text(language === 'en' ? 'shell.english' : 'shell.german'),
          run: () => void languages.choose(language),
          isPrimary: i18n.language === language,
        })),
        { id: 'pseudo', label: '⟦pseudo⟧', run: () => void languages.choose('pseudo') },
        { id: 'off', label: text('status.disabled'), run: () => undefined, isDisabled: true },
      ]}
    />
  );
}
