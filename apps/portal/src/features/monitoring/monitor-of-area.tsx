import { lazy, Suspense } from 'react';
import type { ReactElement } from 'react';
import { useText } from '../../i18n/use-text.ts';
import { LoadingShape } from '../../ui/loading-shape.tsx';
import { Page } from '../../ui/page.tsx';
import { useDetail } from '../../ui/use-detail.ts';
import { WithTenant } from '../tenants/index.ts';
import type { RunArea } from './run-area.ts';
import { RunList } from './run-list.tsx';

const RunPage = lazy(async () => ({ default: (await import('./run-page.tsx')).RunPage }));

export interface MonitorProps {
  readonly base: string;
  readonly area: RunArea;
}

/** The runs of an area, and the page of one of them below the same address. */
export function Monitor({ base, area }: MonitorProps): ReactElement {
  const text = useText();
  const detail = useDetail(base);
  const { id } = detail;
  if (detail.mode === 'view' && id !== null) {
    return (
      <WithTenant>
        {(tenant) => (
          <Suspense fallback={<LoadingShape rows={6} />}>
            <RunPage tenantId={tenant.tenantId} reportId={id} base={base} />
          </Suspense>
        )}
      </WithTenant>
    );
  }
  const title = text('shell.jobMonitor');
  return (
    <Page title={title} lead={text('monitoring.lead')}>
      <WithTenant>{(tenant) => <RunList tenantId={tenant.tenantId} label={title} area={area} onOpen={detail.view} />}</WithTenant>
    </Page>
  );
}
