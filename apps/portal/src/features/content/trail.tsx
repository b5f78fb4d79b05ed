import { Link, Text } from '@fluentui/react-components';
import type { TrailStep } from '@holdfast/contract/discovery';
import type { ReactElement } from 'react';
import { useCodeText } from '../../i18n/use-code-text.ts';
import { useText } from '../../i18n/use-text.ts';
import { rootNode } from './choice.ts';
import type { OpenNode } from './choice.ts';

/** What a step of the way is called: areas are codes, and a message that is only a picture has no words. */
export function useStepName(): (name: string) => string {
  const text = useText();
  const codeText = useCodeText();
  return (name) => (name.trim() === '' ? text('restore.nameless') : codeText(name));
}

/** The way from the root of a source to what is open. */
export function Trail({
  trail,
  onOpen,
}: {
  readonly trail: readonly TrailStep[];
  readonly onOpen: (node: OpenNode) => void;
}): ReactElement {
  const text = useText();
  const stepName = useStepName();
  return (
    <Text>
      <Link as="button" onClick={() => onOpen(rootNode)}>
        {text('restore.root')}
      </Link>
      {trail.map(({ nodeId, name, kind }) => (
        <span key={nodeId}>
          {' / '}
          <Link as="button" onClick={() => onOpen({ nodeId, kind })}>
            {stepName(name)}
          </Link>
        </span>
      ))}
    </Text>
  );
}
