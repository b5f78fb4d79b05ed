import { makeStyles, tokens, typographyStyles } from '@fluentui/react-components';
import type { Block } from '@holdfast/phrases/manual';
import type { ReactElement } from 'react';
import { useFormat } from '../../i18n/use-text.ts';
import { DrawingView } from '../../ui/chart/drawing-view.tsx';
import { diagrams } from './diagrams.ts';
import { screenshots, screenshotSize } from './screenshots.ts';

const useStyles = makeStyles({
  figure: { margin: 0, display: 'flex', flexDirection: 'column', gap: tokens.spacingVerticalS, maxWidth: '840px', breakInside: 'avoid' },
  caption: { ...typographyStyles.caption1, color: tokens.colorNeutralForeground2 },
  screenshot: {
    display: 'block',
    width: '100%',
    height: 'auto',
    border: `${tokens.strokeWidthThin} solid ${tokens.colorNeutralStroke2}`,
    borderRadius: tokens.borderRadiusMedium,
  },
  scroll: { overflowX: 'auto' },
  diagram: { width: '100%', minWidth: '560px' },
});

export interface PictureViewProps {
  readonly picture: Extract<Block, { kind: 'screenshot' | 'diagram' }>;
}

/** A picture of one of the product's pages, or a diagram, with its caption. */
export function PictureView({ picture }: PictureViewProps): ReactElement {
  const styles = useStyles();
  return (
    <figure className={styles.figure}>
      {picture.kind === 'screenshot' ? <Screenshot picture={picture} /> : <Diagram picture={picture} />}
      <figcaption className={styles.caption}>{picture.text}</figcaption>
    </figure>
  );
}

function Screenshot({ picture: { name, text } }: { readonly picture: Extract<Block, { kind: 'screenshot' }> }): ReactElement {
  const styles = useStyles();
  const language = useFormat().locale.startsWith('de') ? 'de' : 'en';
  return <img className={styles.screenshot} src={screenshots[language][name]} alt={text} loading="lazy" {...screenshotSize} />;
}

/** A diagram whose words screen readers read out as its name. */
function Diagram({ picture: { name, text, words } }: { readonly picture: Extract<Block, { kind: 'diagram' }> }): ReactElement {
  const styles = useStyles();
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls must be reached by keyboard
    <section className={styles.scroll} tabIndex={0} aria-label={text}>
      <DrawingView title={[text, ...words].join(' ')} drawing={diagrams[name](words)} className={styles.diagram} />
    </section>
  );
}
