import { Badge } from '@fluentui/react-components';
import type { ManagedNode } from '@holdfast/contract/compliance-values';
import type { ReactElement } from 'react';
import { useText } from '../../i18n/use-text.ts';

const stateLooks = { live: 'success', changed: 'informative', deleted: 'danger' } as const;

/** What has become of an item since the time that is shown. */
export function NodeState({ state }: { readonly state: ManagedNode['state'] }): ReactElement {
  const text = useText();
  return (
    <Badge appearance="tint" color={stateLooks[state]}>
      {text(`compliance.states.${state}`)}
    </Badge>
  );
}
