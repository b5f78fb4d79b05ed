import { makeStyles, mergeClasses, PortalMountNodeProvider, Text, tokens } from '@fluentui/react-components';
import { lazy, Suspense, useEffect, useMemo, useState } from 'react';
import type { ReactElement, ReactNode } from 'react';
import { useChosenWorker, usePortal } from '../../api/portal-context.ts';
import { useStore } from '../../api/store.ts';
import { useText } from '../../i18n/use-text.ts';
import { WindowOwner } from '../../ui/window-title.ts';
import { layers, layout, printing } from '../../ui/theme.ts';
import { useAfterPaint } from '../../ui/use-after-paint.ts';
import { useMedia } from '../../ui/use-media.ts';
import { useRestricted } from '../../api/restriction.ts';
import { LiveEvents } from '../../features/monitoring/live-events.tsx';
import { useTenant } from '../../features/tenants/index.ts';
import { InactivityGuard } from '../gate/inactivity-guard.tsx';
import { keptTenant } from '../last-tenant.ts';
import { ConflictDialog } from './conflict-dialog.tsx';
import { Navigation } from './navigation.tsx';
import { keptNavigation } from './navigation-state.ts';
import { PrintFoot } from './print-foot.tsx';
import { SkipLink } from './skip-link.tsx';
import { TopBar } from './top-bar.tsx';
import { useShellKeys } from './use-shell-keys.ts';

const GoTo = lazy(async () => ({ default: (await import('./go-to.tsx')).GoTo }));

const wideEnough = '(min-width: 1024px)';

const useStyles = makeStyles({
  root: { display: 'flex', flexDirection: 'column', minHeight: '100vh', backgroundColor: tokens.colorNeutralBackground3 },
  staging: {
    padding: tokens.spacingVerticalXS,
    textAlign: 'center',
    fontWeight: tokens.fontWeightSemibold,
    backgroundColor: tokens.colorPaletteMarigoldBackground2,
    color: tokens.colorNeutralForeground1,
  },
  columns: { display: 'flex', flexGrow: 1, minHeight: 0, alignItems: 'stretch' },
  navigation: {
    flexShrink: 0,
    width: layout.navigationWidth,
    boxSizing: 'border-box',
    backgroundColor: tokens.colorNeutralBackground1,
    borderInlineEndWidth: tokens.strokeWidthThin,
    borderInlineEndStyle: 'solid',
    borderInlineEndColor: tokens.colorNeutralStroke2,
    position: 'sticky',
    top: layout.topBarHeight,
    alignSelf: 'flex-start',
    height: `calc(100vh - ${layout.topBarHeight})`,
    overflowY: 'auto',
    [printing]: { display: 'none' },
    '@media (max-width: 1023px)': { position: 'fixed', zIndex: layers.navigation, boxShadow: tokens.shadow16, maxWidth: '100vw' },
  },
  rail: { width: layout.railWidth },
  main: {
    flexGrow: 1,
    minWidth: 0,
    outlineStyle: 'none',
    // Cards and tables stand out from the page in light and in dark.
    backgroundColor: tokens.colorNeutralBackground3,
    scrollMarginTop: layout.topBarHeight,
  },
});

/** The frame of every page behind the sign-in. */
export function Shell({ children }: { readonly children: ReactNode }): ReactElement {
  const text = useText();
  const styles = useStyles();
  const portal = usePortal();
  const chosen = useChosenWorker();
  const realm = useStore(portal.realm);
  const { tenant } = useTenant();
  const isRestricted = useRestricted();
  const [goToOpen, setGoToOpen] = useState(false);
  // Menus, lists and hints open inside the page's landmark: beside all of them readers who go by landmarks find nothing.
  const [popovers, setPopovers] = useState<HTMLElement | null>(null);
  const navigation = useNavigationState();
  useLastTenant(tenant?.tenantId);
  useShellKeys(() => setGoToOpen(true));
  return (
    <WindowOwner value={chosen?.clientName ?? null}>
      <PortalMountNodeProvider value={popovers ?? undefined}>
        <div className={styles.root}>
          {/* First in the order of keys, and by its style below the bar: who is about to be signed out has half a minute. */}
          <InactivityGuard />
          <SkipLink />
          <TopBar navigationOpen={!navigation.isHidden} onToggleNavigation={navigation.toggle} onGoTo={() => setGoToOpen(true)} />
          {realm === 'staging' && (
            <Text as="p" block className={styles.staging} style={{ margin: 0 }}>
              {text('shell.stagingBanner')}
            </Text>
          )}
          {tenant !== null && !isRestricted && <LiveEvents tenantId={tenant.tenantId} />}
          <div className={styles.columns}>
            {!navigation.isHidden && <Aside navigation={navigation} />}
            <main id="content" className={styles.main} tabIndex={-1} data-region>
              {/* A drawer that its address opens is to begin where it stays. */}
              {popovers !== null && children}
              <div ref={setPopovers} />
            </main>
          </div>
          {goToOpen && (
            <Suspense>
              <GoTo onClose={() => setGoToOpen(false)} />
            </Suspense>
          )}
          <ConflictDialog />
          <PrintFoot />
        </div>
      </PortalMountNodeProvider>
    </WindowOwner>
  );
}

/** The navigation beside the page. The page comes first; what surrounds it has its room already. */
function Aside({ navigation }: { readonly navigation: NavigationControl }): ReactElement {
  const styles = useStyles();
  const isComplete = useAfterPaint();
  const { isCollapsed, turnedGroups, toggleGroup, collapse, leave } = navigation;
  return (
    <div className={mergeClasses(styles.navigation, isCollapsed && styles.rail)} data-region tabIndex={-1}>
      {isComplete && <Navigation {...{ isCollapsed, turnedGroups }} onToggleGroup={toggleGroup} onToggle={collapse} onNavigate={leave} />}
    </div>
  );
}

/** Keeps which tenant is shown, for the next start. */
function useLastTenant(tenantId: string | undefined): void {
  const { realm } = usePortal();
  const clientId = useChosenWorker()?.clientId;
  const shownIn = useStore(realm);
  useEffect(() => {
    if (tenantId !== undefined && clientId !== undefined) keptTenant(localStorage).write({ realm: shownIn, clientId, tenantId });
  }, [shownIn, clientId, tenantId]);
}

interface NavigationControl {
  readonly isHidden: boolean;
  readonly isCollapsed: boolean;
  readonly turnedGroups: readonly string[];
  /** Lays the navigation over a narrow page, and takes it away. */
  readonly toggle: () => void;
  /** Folds it to its icons where it stands beside the page. */
  readonly collapse: (() => void) | undefined;
  readonly toggleGroup: (group: string) => void;
  /** On a narrow screen the navigation covers the page, so it goes away when a page was chosen. */
  readonly leave: () => void;
}

function useNavigationState(): NavigationControl {
  const kept = useMemo(() => keptNavigation(localStorage), []);
  const wide = useMedia(wideEnough);
  const [state, setState] = useState(() => kept.read() ?? { isCollapsed: false, turnedGroups: [] });
  // A window that becomes narrow, or a page that is enlarged, never begins with the navigation over it.
  const [isOver, setOver] = useState(false);
  if (wide && isOver) setOver(false);
  const change = (next: typeof state): void => {
    setState(next);
    kept.write(next);
  };
  const { isCollapsed, turnedGroups } = state;
  return {
    turnedGroups,
    isHidden: !wide && !isOver,
    isCollapsed: wide && isCollapsed,
    toggle: () => setOver(!isOver),
    collapse: wide ? () => change({ ...state, isCollapsed: !isCollapsed }) : undefined,
    toggleGroup: (group) => {
      const isTurned = turnedGroups.includes(group);
      change({ ...state, turnedGroups: isTurned ? turnedGroups.filter((one) => one !== group) : [...turnedGroups, group] });
    },
    leave: () => setOver(false),
  };
}
