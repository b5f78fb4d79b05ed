import { Button } from '@fluentui/react-components';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { usePortal } from '../../api/portal-context.ts';
import type { PhraseKey } from '../../i18n/phrase-key.ts';
import { useText } from '../../i18n/use-text.ts';
import { Row } from '../../ui/layout.tsx';

const choices: readonly { readonly language: string; readonly label: PhraseKey }[] = [
  { language: 'en', label: 'shell.english' },
  { language: 'de', label: 'shell.german' },
];

/** English or German, before anybody is signed in. */
export function LanguageChoice(): ReactElement {
  const text = useText();
  const { languages } = usePortal();
  const { i18n } = useTranslation();
  return (
    <div role="group" aria-label={text('shell.language')}>
      <Row>
        {choices.map(({ language, label }) => (
          <Button
            key={language}
            size="small"
            appearance={i18n.language === language ? 'secondary' : 'subtle'}
            aria-pressed={i18n.language === language}
            lang={language}
            onClick={() => void languages.choose(language)}
          >
            {text(label)}
          </Button>
        ))}
      </Row>
    </div>
  );
}
