import { Button, Link, MessageBar, MessageBarBody } from '@fluentui/react-components';
import { CopyRegular } from '@fluentui/react-icons';
import type { ReactElement } from 'react';
import { usePortal } from '../../api/portal-context.ts';
import { useText } from '../../i18n/use-text.ts';
import { copyText } from '../../ui/copy-text.ts';
import { Facts, Row } from '../../ui/layout.tsx';
import { Page } from '../../ui/page.tsx';
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
      </Row>
    </Page>
  );
}
