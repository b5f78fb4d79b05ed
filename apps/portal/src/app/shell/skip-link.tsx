import { makeStyles, tokens } from '@fluentui/react-components';
import type { ReactElement } from 'react';
import { useText } from '../../i18n/use-text.ts';
import { layers } from '../../ui/theme.ts';

const useStyles = makeStyles({
  link: {
    position: 'absolute',
    left: tokens.spacingHorizontalS,
    top: '-64px',
    zIndex: layers.skipLink,
    padding: tokens.spacingVerticalM,
    borderRadius: tokens.borderRadiusMedium,
    backgroundColor: tokens.colorNeutralBackground1,
    color: tokens.colorBrandForegroundLink,
    ':focus': { top: tokens.spacingVerticalS, outline: `2px solid ${tokens.colorStrokeFocus2}` },
  },
});

/** The first thing in the tab order: past bar and navigation, to the content. */
export function SkipLink(): ReactElement {
  const text = useText();
  return (
    <a
      href="#content"
      className={useStyles().link}
      onClick={(event) => {
        event.preventDefault();
        document.querySelector<HTMLElement>('#content')?.focus();
      }}
    >
      {text('shell.skipToContent')}
    </a>
  );
}
