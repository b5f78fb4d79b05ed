import { Button } from '@fluentui/react-components';
import { completed, completionsAt } from '@holdfast/contract/query/completions';
import type { ReactElement } from 'react';
import { useText } from '../../i18n/use-text.ts';
import { Row } from '../../ui/layout.tsx';

/** As many as one line holds. */
const MOST = 8;

interface CompletionsProps {
  readonly typed: string;
  readonly onUse: (query: string) => void;
}

/** What can be written next: fields that begin like the last word, or the values of its field. */
export function Completions({ typed, onUse }: CompletionsProps): ReactElement | null {
  const text = useText();
  const found = completionsAt(typed, typed.length);
  if (found === undefined) return null;
  return (
    <div role="group" aria-label={text('search.completions')}>
      <Row>
        {found.options.slice(0, MOST).map((option) => (
          <Button key={option} size="small" appearance="outline" onClick={() => onUse(completed(typed, found, option))}>
            {option}
          </Button>
        ))}
      </Row>
    </div>
  );
}
