import { Button, Link, MessageBar, MessageBarBody, Tooltip } from '@fluentui/react-components';
import { ArrowDownloadRegular, CopyRegular } from '@fluentui/react-icons';
import { support } from '@holdfast/contract/support';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useMay, usePortal } from '../../api/portal-context.ts';
import { saveFile } from '../../api/save-file.ts';
import { useText } from '../../i18n/use-text.ts';
import { copyText } from '../../ui/copy-text.ts';
import { Facts, Row } from '../../ui/layout.tsx';
import { Page } from '../../ui/page.tsx';
import { useTenant } from '../tenants/index.ts';
import { lastRequestId } from './last-request.ts';

/** `/account/support`: how to reach support and what to tell them. */
export default function SupportPage(): ReactElement {
  const text = useText();
  const { settings, toasts, queries } = usePortal();
  const { email, phone, url } = settings.support;
  const requestId = lastRequestId(queries);
  const known: (readonly [name: string, value: string, href?: string])[] = [
    [text('help.hoursLabel'), text('help.hours')] as const,
    [text('help.email'), email, `mailto:${email}`] as const,
    [text('help.phone'), phone, `tel:${phone}`] as const,
    [text('help.website'), url, url] as const,
    [text('help.version'), settings.version] as const,
    [text('help.lastRequest'), requestId ?? ''] as const,
  ].filter(([, value]) => value !== '');
  const handleCopy = async (): Promise<void> => {
    await copyText(known.map(([name, value]) => `${name}: ${value}`).join('\n'));
    toasts.show('success', text('help.copied'));
  };
  return (
    <Page title={text('shell.support')} lead={text('help.supportLead')}>
      {email === '' && phone === '' && url === '' && (
        <MessageBar layout="multiline">
          <MessageBarBody>{text('help.noContact')}</MessageBarBody>
        </MessageBar>
      )}
      <Facts
        items={known.map(
          ([name, value, href]) =>
            [
              name,
              href === undefined ? (
                value
              ) : (
                <Link key={name} href={href}>
                  {value}
                </Link>
              ),
            ] as const,
        )}
      />
      <Row>
        <Button icon={<CopyRegular />} onClick={() => void handleCopy()}>
          {text('help.copyDetails')}
        </Button>
        <BundleButton />
      </Row>
    </Page>
  );
}

/** The bundle for support, for those who may make one and have a tenant. */
function BundleButton(): ReactElement | null {
  const text = useText();
  const { client, toasts } = usePortal();
  const { tenant } = useTenant();
  const may = useMay('support.bundle');
  const [isMaking, setMaking] = useState(false);
  if (!may || !tenant) return null;
  const handleMake = async (): Promise<void> => {
    setMaking(true);
    const file = await client.download(support.bundle, { params: { tenantId: tenant.tenantId } }).catch(() => null);
    setMaking(false);
    if (file === null) toasts.show('error', text('failures.download'));
    else saveFile(file.blob, file.fileName ?? 'holdfast-support.zip');
  };
  return (
    <Tooltip content={text('help.bundleHint')} relationship="description">
      <Button icon={<ArrowDownloadRegular />} disabledFocusable={isMaking} onClick={() => void handleMake()}>
        {text('help.makeBundle')}
      </Button>
    </Tooltip>
  );
}
