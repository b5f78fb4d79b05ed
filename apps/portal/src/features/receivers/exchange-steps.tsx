import { Button, makeStyles, Subtitle2, Text, tokens } from '@fluentui/react-components';
import type { Receiver } from '@holdfast/contract/receivers';
import type { ReactElement } from 'react';
import { usePortal } from '../../api/portal-context.ts';
import { useText } from '../../i18n/use-text.ts';
import { copyText } from '../../ui/copy-text.ts';
import { Row, Stack } from '../../ui/layout.tsx';
import { LongCode } from '../../ui/long-code.tsx';

const useStyles = makeStyles({
  steps: { margin: 0, paddingLeft: tokens.spacingHorizontalXL, display: 'flex', flexDirection: 'column', gap: tokens.spacingVerticalS },
});

const steps = ['reach', 'connector', 'remote', 'alternate', 'rule'] as const;

/** What has to be entered in Exchange so that it reports to a receiver, in the words of its admin center. */
export function ExchangeSteps({ receiver }: { readonly receiver: Receiver }): ReactElement {
  const text = useText();
  const styles = useStyles();
  const { toasts } = usePortal();
  const { address, listening } = receiver;
  const host = address.slice(address.lastIndexOf('@') + 1);
  const copy = async (): Promise<void> => {
    if (await copyText(address)) toasts.show('success', text('successes.copied'));
  };
  return (
    <Stack>
      <Subtitle2 as="h3">{text('receivers.setUp')}</Subtitle2>
      <Text weight="semibold">{text('receivers.address')}</Text>
      <Row>
        <LongCode>{address}</LongCode>
        <Button size="small" onClick={() => void copy()}>
          {text('receivers.copy')}
        </Button>
      </Row>
      <ol className={styles.steps}>
        {steps.map((step) => (
          <li key={step}>{text(`receivers.steps.${step}`, { host, port: String(listening?.port ?? 25) })}</li>
        ))}
      </ol>
      {listening !== null && (
        <>
          <Text weight="semibold">{text('receivers.fingerprint')}</Text>
          <LongCode>{listening.certificateSha256}</LongCode>
        </>
      )}
    </Stack>
  );
}
