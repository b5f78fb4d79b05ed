import { QueryClientProvider } from '@tanstack/react-query';
import { Component } from 'react';
import type { ReactElement, ReactNode } from 'react';
import { I18nextProvider } from 'react-i18next';
import { PortalContext } from '../api/portal-context.ts';
import type { Portal } from '../api/portal.ts';
import { useText } from '../i18n/use-text.ts';
import { ThemeProvider, useTheme } from '../ui/theme-provider.tsx';
import { ToastRegion } from '../toasts/toast.ts';
import { FallbackError } from './fallback-error.tsx';

/** The last net: what a route's own error element could not catch. */
class ErrorBoundary extends Component<{ readonly children: ReactNode }, { readonly failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }

  override render(): ReactNode {
    return this.state.failed ? <FallbackError /> : this.props.children;
  }
}

/** Everything that surrounds the router. */
export function Providers({ portal, children }: { readonly portal: Portal; readonly children: ReactNode }): ReactElement {
  return (
    <PortalContext value={portal}>
      <I18nextProvider i18n={portal.languages.i18n}>
        <QueryClientProvider client={portal.queries}>
          <ThemeProvider nonce={portal.settings.nonce}>
            <ErrorBoundary>
              {children}
              <PortalToasts limit={portal.settings.toastLimit} />
            </ErrorBoundary>
          </ThemeProvider>
        </QueryClientProvider>
      </I18nextProvider>
    </PortalContext>
  );
}

function PortalToasts({ limit }: { readonly limit: number }): ReactElement {
  const text = useText();
  const { name } = useTheme();
  return (
    <ToastRegion limit={limit} theme={name === 'light' ? 'light' : 'dark'} label={text('shell.toasts')} closeLabel={text('common.close')} />
  );
}
