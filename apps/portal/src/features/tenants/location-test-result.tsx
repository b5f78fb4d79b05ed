import { MessageBar, MessageBarBody, MessageBarTitle } from '@fluentui/react-components';
import type { LocationTest } from '@holdfast/contract/locations';
import type { ReactElement } from 'react';
import type { PhraseKey } from '../../i18n/phrase-key.ts';
import { useCodeText } from '../../i18n/use-code-text.ts';
import { useText } from '../../i18n/use-text.ts';

type Step = LocationTest['steps'][number];
const stepNames: Readonly<Record<Step['step'], PhraseKey>> = {
  write: 'tenants.testWrite',
  read: 'tenants.testRead',
  conditionalPut: 'tenants.testConditionalPut',
  delete: 'tenants.testDelete',
  objectLock: 'tenants.testObjectLock',
};
const resultNames: Readonly<Record<Step['result'], PhraseKey>> = {
  passed: 'tenants.resultPassed',
  failed: 'tenants.resultFailed',
  unsupported: 'tenants.resultUnsupported',
  skipped: 'tenants.resultSkipped',
};

/** What a test of a location said, step by step. */
export function LocationTestResult({ test }: { readonly test: LocationTest }): ReactElement {
  const text = useText();
  const codeText = useCodeText();
  return (
    <MessageBar intent={test.ok ? 'success' : 'error'} layout="multiline">
      <MessageBarBody>
        <MessageBarTitle>{text(test.ok ? 'tenants.testPassed' : 'tenants.testFailed')}</MessageBarTitle>
        <ul style={{ margin: 0 }}>
          {test.steps.map((step) => (
            <li key={step.step}>
              {text(stepNames[step.step])}: {text(resultNames[step.result])}
              {step.message !== null && ` – ${codeText(step.message)}`}
            </li>
          ))}
        </ul>
      </MessageBarBody>
    </MessageBar>
  );
}
