import { compliance } from '@holdfast/contract/compliance';
import type { ReactElement } from 'react';
import { Button } from '@fluentui/react-components';
import { ArrowSyncRegular } from '@fluentui/react-icons';
import { useMay } from '../../api/portal-context.ts';
import { useChange } from '../../api/queries.ts';
import { useText } from '../../i18n/use-text.ts';

/** Starts a scan, for those who may run jobs. */
export function StartScan({ tenantId }: { readonly tenantId: string }): ReactElement | null {
  const text = useText();
  const mayRun = useMay('jobs.run');
  const start = useChange(compliance.startScan, { success: 'compliance.scanStarted' });
  if (!mayRun) return null;
  return (
    <Button icon={<ArrowSyncRegular />} disabledFocusable={start.isPending} onClick={() => start.mutate({ params: { tenantId } })}>
      {text('compliance.scanNow')}
    </Button>
  );
}
