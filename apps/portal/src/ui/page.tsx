import {
  Breadcrumb,
  BreadcrumbButton,
  BreadcrumbDivider,
  BreadcrumbItem,
  makeStyles,
  Text,
  tokens,
  typographyStyles,
} from '@fluentui/react-components';
import { Fragment, useEffect, useRef } from 'react';
import type { ReactElement, ReactNode } from 'react';
import { NavigationType, useHref, useLinkClickHandler, useLocation, useNavigationType } from 'react-router';
import { useText } from '../i18n/use-text.ts';
import { layout, narrowScreen } from './theme.ts';
import { GuardedPage } from './unsaved-entries.tsx';
import { useWindowTitle } from './window-title.ts';

const useStyles = makeStyles({
  root: {
    display: 'flex',
    flexDirection: 'column',
    gap: tokens.spacingVerticalL,
    // On the widest screens lines stay readable, and the page stands in the middle of what is left.
    maxWidth: layout.contentWidth,
    marginInline: 'auto',
    padding: `${tokens.spacingVerticalL} ${tokens.spacingHorizontalXXL} ${tokens.spacingVerticalXXXL}`,
    [narrowScreen]: { paddingInline: tokens.spacingHorizontalM },
  },
  head: { display: 'flex', flexDirection: 'column', gap: tokens.spacingVerticalXS },
  title: {
    ...typographyStyles.title2,
    margin: 0,
    outlineStyle: 'none',
    overflowWrap: 'anywhere',
    hyphens: 'auto',
    [narrowScreen]: typographyStyles.subtitle1,
  },
  // On a narrow screen a long name goes on in the next line.
  crumbs: {
    '& ol': { flexWrap: 'wrap' },
    '& .fui-BreadcrumbButton': { whiteSpace: 'normal', height: 'auto', minHeight: '24px', paddingBlock: 0, textAlign: 'start' },
  },
  lead: { color: tokens.colorNeutralForeground2 },
});

export interface Crumb {
  readonly label: string;
  readonly to: string;
}

export interface PageProps {
  readonly title: string;
  /** One line that says what the page is for. */
  readonly lead?: string;
  readonly crumbs?: readonly Crumb[];
  /** The command bar: primary action first. */
  readonly commands?: ReactNode;
  readonly children: ReactNode;
}

/** The frame of a page: breadcrumb, the one `h1`, which gets focus after navigation, lead, commands, content. */
export function Page({ title, lead, crumbs = [], commands, children }: PageProps): ReactElement {
  const styles = useStyles();
  const heading = useRef<HTMLHeadingElement>(null);
  useWindowTitle(title);
  const root = useRef<HTMLDivElement>(null);
  useFocusAfterNavigation(heading, root);
  return (
    <div ref={root} className={styles.root}>
      <div className={styles.head}>
        {crumbs.length > 0 && <Crumbs crumbs={crumbs} title={title} />}
        <h1 ref={heading} tabIndex={-1} className={styles.title}>
          {title}
        </h1>
        {lead !== undefined && <Text className={styles.lead}>{lead}</Text>}
      </div>
      {commands}
      <GuardedPage>{children}</GuardedPage>
    </div>
  );
}

type Place = { readonly current: HTMLElement | null };

function useFocusAfterNavigation(heading: Place, root: Place): void {
  const { key } = useLocation();
  const type = useNavigationType();
  const first = key === 'default' && type === NavigationType.Pop;
  const skip = useRef(first);
  const shown = useRef<string | null>(null);
  useEffect(() => {
    if (shown.current === key) return;
    // A page that goes on at another address keeps the focus, unless what had it is gone; so does a page that begins with a field.
    const begins = shown.current === null && root.current?.contains(document.activeElement) !== true;
    const isWanted = begins || document.activeElement === document.body;
    // The very first page keeps the focus where the browser put it; a drawer that its address opens keeps it too.
    if (isWanted && !skip.current && document.querySelector('[role="dialog"]') === null) heading.current?.focus();
    shown.current = key;
    skip.current = false;
  }, [heading, root, key]);
}

function Crumbs({ crumbs, title }: { readonly crumbs: readonly Crumb[]; readonly title: string }): ReactElement {
  const text = useText();
  const styles = useStyles();
  return (
    <Breadcrumb className={styles.crumbs} aria-label={text('shell.breadcrumb')} size="small">
      {crumbs.map((crumb) => (
        <Fragment key={crumb.to}>
          <CrumbItem crumb={crumb} />
          <BreadcrumbDivider />
        </Fragment>
      ))}
      <BreadcrumbItem>
        <BreadcrumbButton current>{title}</BreadcrumbButton>
      </BreadcrumbItem>
    </Breadcrumb>
  );
}

function CrumbItem({ crumb }: { readonly crumb: Crumb }): ReactElement {
  const href = useHref(crumb.to);
  const handleClick = useLinkClickHandler(crumb.to);
  return (
    <BreadcrumbItem>
      <BreadcrumbButton as="a" href={href} onClick={(event) => handleClick(event)}>
        {crumb.label}
      </BreadcrumbButton>
    </BreadcrumbItem>
  );
}
