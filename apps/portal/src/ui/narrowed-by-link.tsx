import { Button, Text } from '@fluentui/react-components';
import type { ReactElement } from 'react';
import { useSearchParams } from 'react-router';
import { useText } from '../i18n/use-text.ts';
import { Row } from './layout.tsx';

export interface NarrowedByLinkProps {
  /** What the list is limited to. */
  readonly text: string;
  /** What of the address limits it. */
  readonly names: readonly string[];
}

/** Says that a link has limited a list in a way that none of its filters shows, and lifts the limit. */
export function NarrowedByLink({ text, names }: NarrowedByLinkProps): ReactElement {
  const word = useText();
  const [, setParams] = useSearchParams();
  const lift = (): void =>
    setParams(
      (before) => {
        const params = new URLSearchParams(before);
        for (const name of [...names, 'after']) params.delete(name);
        return params;
      },
      { replace: true },
    );
  return (
    <Row>
      <Text>{text}</Text>
      <Button size="small" onClick={lift}>
        {word('kit.showAll')}
      </Button>
    </Row>
  );
}
