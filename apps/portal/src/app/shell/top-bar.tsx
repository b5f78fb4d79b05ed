import { Button, FluentProvider, makeStyles, tokens, Tooltip } from '@fluentui/react-components';
import { NavigationRegular, QuestionCircleRegular, SearchRegular, ShieldCheckmarkFilled } from '@fluentui/react-icons';
import type { ReactElement } from 'react';
import { Link, useNavigate } from 'react-router';
import { useChosenWorker, usePortal } from '../../api/portal-context.ts';
import { useStore } from '../../api/store.ts';
import { useText } from '../../i18n/use-text.ts';
import { useTheme } from '../../ui/theme-provider.tsx';
import { layers, layout, crampedScreen as cramped, narrowScreen, printing, spokenOnly, themes, topBarColour } from '../../ui/theme.ts';
import { useAfterPaint } from '../../ui/use-after-paint.ts';
import { addresses } from '../addresses.ts';
import { AttentionBell } from './attention-bell.tsx';
import { MicrosoftMark } from './microsoft-mark.tsx';
import { AccountMenu, LanguageMenu, RealmMenu, ThemeMenu } from './menus.tsx';
import { StatePill } from './state-pill.tsx';
import { TenantMenu } from './tenant-menu.tsx';
import { WorkerMark } from './worker-mark.tsx';

const wideEnough = '@media (min-width: 1024px)';

const useStyles = makeStyles({
  // Without a box of its own: in one as low as itself the bar could not stay on top of a page that is scrolled.
  around: { display: 'contents' },
  bar: {
    display: 'flex',
    alignItems: 'center',
    gap: tokens.spacingHorizontalXS,
    minHeight: layout.topBarHeight,
    paddingInline: tokens.spacingHorizontalM,
    position: 'sticky',
    top: 0,
    // Above what comes before it for the keyboard.
    order: -1,
    zIndex: layers.topBar,
    flexWrap: 'wrap',
    [narrowScreen]: { gap: 0, paddingInline: tokens.spacingHorizontalXXS },
    [printing]: { display: 'none' },
  },
  // Beside the page the navigation folds itself, at its own foot.
  menu: { [wideEnough]: { display: 'none' } },
  name: {
    display: 'inline-flex',
    alignItems: 'center',
    columnGap: tokens.spacingHorizontalS,
    color: tokens.colorNeutralForeground1,
    textDecorationLine: 'none',
    fontWeight: tokens.fontWeightSemibold,
    fontSize: tokens.fontSizeBase400,
    marginInline: tokens.spacingHorizontalXS,
    // As wide as the navigation below it: what is searched begins where the page does.
    [wideEnough]: { width: `calc(${layout.navigationWidth} - 28px)` },
    [narrowScreen]: { marginInline: tokens.spacingHorizontalXXS },
    ':focus-visible': { outline: `2px solid ${tokens.colorStrokeFocus2}` },
  },
  space: { flexGrow: 1, flexBasis: 0 },
  wide: { [narrowScreen]: { display: 'none' } },
  search: {
    flexGrow: 6,
    flexBasis: 0,
    minWidth: 0,
    maxWidth: '600px',
    justifyContent: 'start',
    fontWeight: tokens.fontWeightRegular,
    color: tokens.colorNeutralForeground2,
    backgroundColor: tokens.colorNeutralStrokeAlpha,
    // Seen in high contrast alone.
    border: `1px solid ${tokens.colorTransparentStroke}`,
    // Without its words a button is as wide as its picture, and all of them fit beside each other on 320 pixels.
    [narrowScreen]: { flexGrow: 0, flexBasis: 'auto', minWidth: '32px', paddingInline: tokens.spacingHorizontalXS },
  },
  words: {
    flexGrow: 1,
    minWidth: 0,
    overflow: 'hidden',
    textOverflow: 'ellipsis',
    whiteSpace: 'nowrap',
    textAlign: 'start',
    [narrowScreen]: spokenOnly,
  },
  keys: {
    border: `1px solid ${tokens.colorNeutralStroke1}`,
    borderRadius: tokens.borderRadiusSmall,
    paddingInline: tokens.spacingHorizontalXS,
    fontFamily: 'inherit',
    fontSize: tokens.fontSizeBase200,
    whiteSpace: 'nowrap',
    [cramped]: { display: 'none' },
  },
  mark: { [cramped]: { display: 'none' } },
});

/** In high contrast this colour is that of text; here words stand on it. */
const highContrastBar = { ...themes.highContrast, colorNeutralStrokeAlpha: themes.highContrast.colorNeutralBackground1 };

export interface TopBarProps {
  readonly navigationOpen: boolean;
  readonly onToggleNavigation: () => void;
  readonly onGoTo: () => void;
}

/** The dark blue bar: inside the dark theme also on light pages, whose black focus ring could not be seen here. */
export function TopBar({ navigationOpen, onToggleNavigation, onGoTo }: TopBarProps): ReactElement {
  const text = useText();
  const styles = useStyles();
  const { name } = useTheme();
  const isComplete = useAfterPaint();
  return (
    <FluentProvider theme={name === 'highContrast' ? highContrastBar : themes.dark} applyStylesToPortals={false} className={styles.around}>
      <header className={styles.bar} style={{ backgroundColor: topBarColour[name] }} aria-label={text('shell.topBar')} data-region>
        <Tooltip content={text('shell.toggleNavigation')} relationship="label">
          <Button
            appearance="subtle"
            className={styles.menu}
            icon={<NavigationRegular />}
            aria-expanded={navigationOpen}
            onClick={onToggleNavigation}
          />
        </Tooltip>
        <Link to={addresses.home} className={styles.name}>
          <ShieldCheckmarkFilled fontSize={24} aria-hidden className={styles.wide} />
          {text('common.productName')}
        </Link>
        {isComplete && <Tools onGoTo={onGoTo} />}
      </header>
    </FluentProvider>
  );
}

/** What the bar offers beside the way home. Each part keeps its width: none may move under the pointer when something arrives. */
function Tools({ onGoTo }: Pick<TopBarProps, 'onGoTo'>): ReactElement {
  const text = useText();
  const styles = useStyles();
  const navigate = useNavigate();
  const hasChosen = useChosenWorker() !== null;
  return (
    <>
      <Tooltip content={text('shell.goToHint')} relationship="description">
        <Button className={styles.search} appearance="subtle" icon={<SearchRegular />} onClick={onGoTo} aria-keyshortcuts="Control+K">
          <span className={styles.words}>{text('shell.goToShort')}</span>
          <kbd className={styles.keys}>{text('shell.goToKeys')}</kbd>
        </Button>
      </Tooltip>
      <span className={styles.space} />
      {hasChosen && <TenantMenu />}
      {hasChosen && <MicrosoftMark className={styles.mark} />}
      {hasChosen && <WorkerMark className={styles.mark} />}
      <LiveMark className={styles.mark} />
      {hasChosen && <AttentionBell />}
      <RealmMenu />
      <ThemeMenu />
      <LanguageMenu />
      <Tooltip content={text('shell.help')} relationship="label">
        <Button
          appearance="subtle"
          className={styles.wide}
          icon={<QuestionCircleRegular />}
          onClick={() => void navigate(addresses.helpCenter)}
        />
      </Tooltip>
      <AccountMenu />
    </>
  );
}

/** Whether this page hears of changes as they happen. */
function LiveMark({ className }: { readonly className: string }): ReactElement {
  const text = useText();
  const isConnected = useStore(usePortal().live) === 'connected';
  const words = text(isConnected ? 'shell.connected' : 'shell.reconnecting');
  return (
    <StatePill
      label={text('shell.live')}
      shown={text('shell.liveShort')}
      state={isConnected ? 'good' : 'unknown'}
      words={words}
      hint={words}
      className={className}
    />
  );
}
